import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contenders, fileAt, type Running } from './contenders.ts';
import { startChild, type Child } from './control/child.ts';
import { check, measure } from './measure.ts';
import { runRounds, type Plan, type Row, type Subjects } from './rounds.ts';
import { workloads } from './workloads.ts';

export const subjects: Subjects = {
  workloads: workloads.map(({ name }) => name),
  names: contenders.map(({ name }) => name),
};

/**
 * Starts the fake node, the callers and every server, measures, and stops all of it. Rejects when a
 * server cannot be measured, and with the reason of `signal` when that fires.
 */
export async function run(plan: Plan, signal: AbortSignal): Promise<readonly Row[]> {
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
      const each = await contender.start({ node: node.told, folder });
      started.push(each.server);
      running.push(each);
      for (const workload of workloads) await check(each, workload);
    }
    return await runRounds(subjects, plan, (workload, name, window_ms) => {
      signal.throwIfAborted();
      return measure(load, running[name]!, { workload: workloads[workload]!, window_ms });
    });
  } finally {
    await Promise.all(started.map((child) => child.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
