import { join } from 'node:path';
import { startChild, type Child } from '../child-process.ts';
import { median } from '../rounds.ts';
import { contendersOf, type Workload, WORKLOADS } from './contenders.ts';

const DRIVER = join(import.meta.dirname, 'drive.ts');

/** The rate and the cost of the calls of a window. */
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

/**
 * Measures each client under each workload in turn, several times, so that other work on the machine
 * slows all of them alike.
 */
export async function measureSpeed(host: string, plan: SpeedPlan): Promise<readonly Speed[]> {
  const speeds: Speed[] = [];
  for (const workload of WORKLOADS) {
    const children: [name: string, child: Child][] = [];
    try {
      for (const { name } of contendersOf(workload)) {
        children.push([name, await startChild(name, [DRIVER, name, workload, host])]);
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
      const sample = await child.ask<Sample>('run', window_ms);
      if (round > 0) samples.get(name)!.push(sample);
    }
  }
  return samples;
}
