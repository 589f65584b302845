export interface Plan {
  /** How long all subjects together are under load before measurements count. */
  readonly warmUp_ms: number;
  /** Maximum rounds that count. */
  readonly rounds: number;
  readonly window_ms: number;
  /** After this no further round is begun, if one has counted: on a busy machine windows grow. */
  readonly limit_ms: number;
}

/** Measures a subject for a window. */
export type Measure<Subject, Sample> = (subject: Subject, window_ms: number) => Promise<Sample>;

const WARM_UP_SHARE = 0.3;

/** Shares `seconds` out to windows. A run of a few seconds shows that all works, and little more. */
export function planRounds(seconds: number, subjects: number): Plan {
  const limit_ms = seconds * 1000;
  const warmUp_ms = limit_ms * WARM_UP_SHARE;
  const rounds = seconds < 10 ? 1 : 5;
  return { warmUp_ms, rounds, limit_ms, window_ms: (limit_ms - warmUp_ms) / (rounds * subjects) };
}

/**
 * Measures each subject in turn, several times, so that other work on the machine slows all of them
 * alike. The n-th samples of all subjects are of the same round.
 */
export async function runRounds<Subject, Sample>(
  subjects: readonly Subject[],
  { warmUp_ms, rounds, window_ms, limit_ms }: Plan,
  measure: Measure<Subject, Sample>,
): Promise<ReadonlyMap<Subject, readonly Sample[]>> {
  const ends_ms = performance.now() + limit_ms;
  if (warmUp_ms > 0) {
    for (const subject of subjects) await measure(subject, warmUp_ms / subjects.length);
  }
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && performance.now() > ends_ms) break;
    for (const subject of subjects) samples.get(subject)!.push(await measure(subject, window_ms));
  }
  return samples;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of several rounds, and how far they are apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
