import type { Sample } from './measure.ts';

/** The medians of a server under a workload. */
export interface Row extends Sample {
  readonly workload: string;
  readonly name: string;
}

export interface Plan {
  /** Rounds that do not count: compilers and caches get ready. */
  readonly warmUps: number;
  /** Most rounds that count. */
  readonly rounds: number;
  readonly window_ms: number;
  /** After this no further round is begun, if one has counted: on a busy machine windows grow. */
  readonly limit_ms: number;
}

/** Shares `seconds` out to windows. A run of a few seconds shows that all works, and little more. */
export function planRounds(seconds: number, pairs: number): Plan {
  const warmUps = seconds < 5 ? 0 : 1;
  const rounds = seconds < 10 ? 1 : 5;
  const limit_ms = seconds * 1000;
  return { warmUps, rounds, limit_ms, window_ms: limit_ms / ((warmUps + rounds) * pairs) };
}

/**
 * Measures each server in turn, again and again, so that what else the machine does meets all of
 * them alike. `names` in the order of the rows; `measure` is given their indexes.
 */
export async function runRounds(
  { workloads, names }: { workloads: readonly string[]; names: readonly string[] },
  { warmUps, rounds, limit_ms }: Omit<Plan, 'window_ms'>,
  measure: (workload: number, name: number) => Promise<Sample>,
): Promise<readonly Row[]> {
  const ends_ms = performance.now() + limit_ms;
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round > warmUps && performance.now() > ends_ms) break;
    for (const workload of workloads.keys()) {
      for (const name of names.keys()) {
        const sample = await measure(workload, name);
        if (round < warmUps) continue;
        const key = `${workload} ${name}`;
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
    }
  }
  return workloads.flatMap((workload, first) =>
    names.map((name, second) => ({
      workload,
      name,
      ...medians(samples.get(`${first} ${second}`)!),
    })),
  );
}

function medians(samples: readonly Sample[]): Sample {
  return {
    cpu_us_per_request: median(samples.map((sample) => sample.cpu_us_per_request)),
    requests_per_s: median(samples.map((sample) => sample.requests_per_s)),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
