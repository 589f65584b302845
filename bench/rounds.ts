import type { Sample } from './measure.ts';

/** The medians of a server under a workload. */
export interface Row extends Sample {
  readonly workload: string;
  readonly name: string;
}

/** What is measured: every server (by name) under every workload, in the order of the rows. */
export interface Subjects {
  readonly workloads: readonly string[];
  readonly names: readonly string[];
}

export interface Plan {
  /** How long each server is under load before measurements count. */
  readonly warmUp_ms: number;
  /** Maximum rounds that count. */
  readonly rounds: number;
  readonly window_ms: number;
  /** After this no further round is begun, if one has counted: on a busy machine windows grow. */
  readonly limit_ms: number;
}

/** Measures a server under a workload, both given by index, for a window. */
export type Measure = (workload: number, name: number, window_ms: number) => Promise<Sample>;

/**
 * A server runs at its own speed only once its code is compiled, which takes some 25,000 requests:
 * nearly half of the time is for that.
 */
const WARM_UP_SHARE = 0.45;

/** Of a warm-up, for the first workload, which uses most of what the others use. */
const FIRST_SHARE = 0.7;

/** Shares `seconds` out to windows. A run of a few seconds shows that all works, and little more. */
export function planRounds(seconds: number, { workloads, names }: Subjects): Plan {
  const limit_ms = seconds * 1000;
  const warmUps_ms = seconds < 5 ? 0 : limit_ms * WARM_UP_SHARE;
  const rounds = seconds < 10 ? 1 : 5;
  const windows = rounds * workloads.length * names.length;
  return {
    warmUp_ms: warmUps_ms / names.length,
    rounds,
    limit_ms,
    window_ms: (limit_ms - warmUps_ms) / windows,
  };
}

/**
 * Measures each server in turn, several times, so that other work on the machine slows all of them
 * alike.
 */
export async function runRounds(
  { workloads, names }: Subjects,
  { warmUp_ms, rounds, window_ms, limit_ms }: Plan,
  measure: Measure,
): Promise<readonly Row[]> {
  const ends_ms = performance.now() + limit_ms;
  if (warmUp_ms > 0) {
    const rest = (1 - FIRST_SHARE) / Math.max(1, workloads.length - 1);
    for (const name of names.keys()) {
      for (const workload of workloads.keys()) {
        await measure(workload, name, warmUp_ms * (workload === 0 ? FIRST_SHARE : rest));
      }
    }
  }
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && performance.now() > ends_ms) break;
    for (const workload of workloads.keys()) {
      for (const name of names.keys()) {
        const sample = await measure(workload, name, window_ms);
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

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
