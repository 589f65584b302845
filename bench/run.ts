import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, type Child } from './child-process.ts';
import { contenders, fileAt, type Running } from './contenders.ts';
import { measureFairness, type FairnessRow } from './fairness.ts';
import type { MeasuredRow } from './figures.ts';
import { check, measure, type Sample } from './measure.ts';
import { measureMemory, type MemoryRow } from './memory.ts';
import { describeRow, smallCallOf, workloadOf, type Row } from './rows.ts';
import { runRounds, type Plan } from './rounds.ts';

export interface Measured {
  readonly rows: readonly MeasuredRow[];
  /** Empty when only some rows were measured. */
  readonly memory: readonly MemoryRow[];
  readonly fairness: readonly FairnessRow[];
}

export interface RunOptions {
  readonly plan: Plan;
  readonly isPartial: boolean;
  /** Folder for CPU profiles of the rows; undefined: none are made. */
  readonly profiles?: string | undefined;
  readonly signal: AbortSignal;
}

/** The least time for one account beside a flood, and for slow readers. */
const MIN_EXTRA_MS = 1_000;
/** Windows of those. */
const EXTRA_WINDOWS = 2;
const HALF = 0.5;

/** The servers under test, the node behind them and the process that calls them. */
interface Bench {
  readonly node: string;
  readonly folder: string;
  readonly load: Child;
  readonly running: ReadonlyMap<string, Running>;
}

/**
 * Starts everything, measures, and stops all of it. Rejects when a server cannot be measured, and with
 * the reason of `signal` when that fires.
 */
export async function run(
  rows: readonly Row[],
  { plan, isPartial, profiles, signal }: RunOptions,
): Promise<Measured> {
  return withBench(rows, signal, async (bench) => {
    const measureRow = createMeasure(rows, bench, signal);
    const samples = await runRounds(rows, plan, measureRow);
    if (profiles !== undefined) {
      for (const row of rows) await profile(row, { bench, folder: profiles, plan, measureRow });
    }
    const measured = rows.map((row) => ({ ...row, samples: samples.get(row)! }));
    if (isPartial) return { rows: measured, memory: [], fairness: [] };
    const { node, folder } = bench;
    const window_ms = Math.max(MIN_EXTRA_MS, plan.window_ms * EXTRA_WINDOWS);
    const memory = await measureMemory({ window_ms, folder, node }, signal);
    return {
      rows: measured,
      memory,
      fairness: await measureFairness({ window_ms, folder }, signal),
    };
  });
}

/** Starts the servers of the rows, and checks that their answers are right. */
export async function withBench<T>(
  rows: readonly Row[],
  signal: AbortSignal,
  use: (bench: Bench) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-bench-'));
  const stops: (() => Promise<void>)[] = [];
  const start = async (name: string): Promise<Child> => {
    const child = await startChild(name, [fileAt(name)]);
    stops.push(() => child.stop());
    return child;
  };
  try {
    const { firstLine: node } = await start('node/serve.ts');
    const load = await start('load/serve.ts');
    const running = new Map<string, Running>();
    for (const contender of contenders) {
      const { name } = contender;
      const own = rows.filter((row) => row.name === name);
      if (own.length === 0) continue;
      signal.throwIfAborted();
      const each = await contender.start({ node, folder });
      stops.push(() => each.stop());
      running.set(name, each);
      for (const workload of new Set(own.map(workloadOf))) await check(each, workload);
    }
    return await use({ node, folder, load, running });
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures rows; those at half load after the rows that show how many requests that is. */
function createMeasure(
  rows: readonly Row[],
  { load, running }: Bench,
  signal: AbortSignal,
): (row: Row, window_ms: number) => Promise<Sample> {
  const limits = new Set(rows.filter((row) => workloadOf(row).isHalfLoad).map(smallCallOf));
  const answered_per_s = new Map<Row, number>();
  return async (row, window_ms) => {
    signal.throwIfAborted();
    const workload = workloadOf(row);
    const subject = { workload, running: running.get(row.name)!, connections: row.connections };
    const capacity = Math.min(...answered_per_s.values());
    const rate_per_s = workload.isHalfLoad === true ? capacity * HALF : undefined;
    const sample = await measure(load, subject, { window_ms, rate_per_s });
    if (limits.has(row)) answered_per_s.set(row, sample.requests_per_s);
    return sample;
  };
}

/** Writes a CPU profile of another window of a row; only Node's main thread can be profiled. */
async function profile(
  row: Row,
  {
    bench,
    folder,
    plan,
    measureRow,
  }: {
    readonly bench: Bench;
    readonly folder: string;
    readonly plan: Plan;
    readonly measureRow: (row: Row, window_ms: number) => Promise<Sample>;
  },
): Promise<void> {
  const { child } = bench.running.get(row.name)!;
  if (child === undefined) return;
  const file = `${describeRow(row).replaceAll(/[^\w-]+/g, '-')}.cpuprofile`;
  await child.ask('startProfile');
  await measureRow(row, plan.window_ms);
  await child.ask('stopProfile', join(folder, file));
}
