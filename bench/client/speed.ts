import { type Caller, contendersOf, type Workload, WORKLOADS } from './contenders.ts';

export interface Speed {
  readonly workload: Workload;
  readonly name: string;
  readonly calls_per_s: number;
  /** Of this process alone; a busy machine changes it less than the calls a second. */
  readonly cpu_us_per_call: number;
}

type Sample = Pick<Speed, 'calls_per_s' | 'cpu_us_per_call'>;

/** Calls under way at once: one after another in so many lanes, or so many together in a batch. */
const LANES = 64;
const BATCH = 100;

export interface SpeedPlan {
  readonly rounds: number;
  readonly window_ms: number;
}

/** Measures each client under each workload in turn, again and again, so that all share what else the machine does. */
export async function measureSpeed(
  host: string,
  { rounds, window_ms }: SpeedPlan,
): Promise<readonly Speed[]> {
  const speeds: Speed[] = [];
  for (const workload of WORKLOADS) {
    const callers = contendersOf(workload).map(
      ({ name, open }) => [name, open(host, workload)] as const,
    );
    const samples = new Map<string, Sample[]>(callers.map(([name]) => [name, []]));
    // The first round warms up, and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, caller] of callers) {
        const sample = await runWindow(caller, workload, window_ms);
        if (round > 0) samples.get(name)!.push(sample);
      }
    }
    for (const [name, caller] of callers) {
      await caller.close();
      const own = samples.get(name)!;
      speeds.push({
        workload,
        name,
        calls_per_s: median(own.map((sample) => sample.calls_per_s)),
        cpu_us_per_call: median(own.map((sample) => sample.cpu_us_per_call)),
      });
    }
  }
  return speeds;
}

async function runWindow(caller: Caller, workload: Workload, window_ms: number): Promise<Sample> {
  const started_ms = performance.now();
  const cpu = process.cpuUsage();
  const ends_ms = started_ms + window_ms;
  let calls = 0;
  const callOne = async (): Promise<void> => {
    calls += 1;
    await caller.call('eth_getBlockByNumber', [`0x${calls.toString(16)}`, false]);
  };
  if (workload === 'HTTP batched') {
    while (performance.now() < ends_ms) await Promise.all(Array.from({ length: BATCH }, callOne));
  } else {
    const lane = async (): Promise<void> => {
      while (performance.now() < ends_ms) await callOne();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    calls_per_s: (calls * 1000) / (performance.now() - started_ms),
    cpu_us_per_call: (user + system) / calls,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
