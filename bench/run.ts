import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contenders, fileAt, type Running } from './contenders.ts';
import { measureFairness, type FairnessRow } from './fairness.ts';
import { startChild, type Child } from './child-process.ts';
import { check, measure } from './measure.ts';
import { runRounds, type Plan, type Row, type Subjects } from './rounds.ts';
import { workloads } from './workloads.ts';

export const subjects: Subjects = {
  workloads: workloads.map(({ name }) => name),
  names: contenders.map(({ name }) => name),
};

export interface Measured {
  readonly rows: readonly Row[];
  readonly fairness: readonly FairnessRow[];
}

/** Windows for measuring one account beside a flood. */
const FAIRNESS_WINDOWS = 2;
const MIN_FAIRNESS_MS = 1_000;

/**
 * Starts the fake node, the callers and every server, measures, and stops all of it. Rejects when a
 * server cannot be measured, and with the reason of `signal` when that fires.
 */
export async function run(plan: Plan, signal: AbortSignal): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-bench-'));
  const started: Child[] = [];
  const start = async (name: string): Promise<Child> => {
    const child = await startChild(name, [fileAt(name)]);
    started.push(child);
    return child;
  };
  try {
    const node = await start('node/serve.ts');
    const load = await start('load/serve.ts');
    const running: Running[] = [];
    for (const contender of contenders) {
      signal.throwIfAborted();
      const each = await contender.start({ node: node.firstLine, folder });
      started.push(each.server);
      running.push(each);
      for (const workload of workloads) await check(each, workload);
    }
    const rows = await runRounds(subjects, plan, (workload, name, window_ms) => {
      signal.throwIfAborted();
      return measure(load, running[name]!, { workload: workloads[workload]!, window_ms });
    });
    const window_ms = Math.max(MIN_FAIRNESS_MS, plan.window_ms * FAIRNESS_WINDOWS);
    return { rows, fairness: await measureFairness({ window_ms, folder }, signal) };
  } finally {
    await Promise.all(started.map((child) => child.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
