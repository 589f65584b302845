import { type Child, startChild } from './child.ts';
import { contendersOf, type Workload, WORKLOADS } from './contenders.ts';

/** What a window of calls came to. */
export interface Sample {
  readonly calls_per_s: number;
  /** Of the client's process alone; a busy machine changes it less than the calls a second. */
  readonly cpu_us_per_call: number;
}

/** The medians of a client's windows. */
export interface Speed extends Sample {
  readonly workload: Workload;
  readonly name: string;
}

export interface SpeedPlan {
  readonly rounds: number;
  readonly window_ms: number;
}

/** Measures each client under each workload in turn, again and again, so that all share what else the machine does. */
export async function measureSpeed(host: string, plan: SpeedPlan): Promise<readonly Speed[]> {
  const speeds: Speed[] = [];
  for (const workload of WORKLOADS) {
    const children: [name: string, child: Child][] = [];
    try {
      for (const { name } of contendersOf(workload)) {
        children.push([name, await startChild('drive.ts', name, workload, host)]);
      }
      for (const [name, samples] of await runRounds(children, plan)) {
        speeds.push({
          workload,
          name,
          calls_per_s: median(samples.map((sample) => sample.calls_per_s)),
          cpu_us_per_call: median(samples.map((sample) => sample.cpu_us_per_call)),
        });
      }
    } finally {
      await Promise.all(children.map(([, child]) => child.stop()));
    }
  }
  return speeds;
}

async function runRounds(
  children: readonly (readonly [name: string, child: Child])[],
  { rounds, window_ms }: SpeedPlan,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>(children.map(([name]) => [name, []]));
  // The first round warms up, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, child] of children) {
      const sample = JSON.parse(await child.ask(String(window_ms))) as Sample;
      if (round > 0) samples.get(name)!.push(sample);
    }
  }
  return samples;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
