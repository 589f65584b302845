import type { BlockNeed } from './block-need.ts';

/** What is known of the height of one upstream. */
export interface HeightReport {
  readonly isFit: boolean;
  /** Of the newest block it told; undefined when it never did. */
  readonly height: number | undefined;
  /** When it told so. */
  readonly heightAt_ms: number;
}

export interface HeightOptions {
  /** Blocks an upstream may be behind the highest one and still be asked for the newest state. */
  readonly lag_blocks: number;
  /** For how long the height of an upstream that is no longer fit still counts. */
  readonly height_memory_ms: number;
  readonly monotonic_ms: () => number;
}

/** Height of the highest upstream that is fit; 0 when none is. */
export function bestHeight(reports: Iterable<HeightReport>): number {
  let best = 0;
  for (const { isFit, height } of reports) {
    if (isFit && height !== undefined && height > best) best = height;
  }
  return best;
}

/**
 * The lowest height at which an upstream may answer. A block that some upstream is known to have, be
 * it one that has failed since, is not asked of those below it: their null would be a lie. A block
 * above all of them may not exist yet, so the highest ones are asked, and their null is the truth.
 */
export function floorFor(
  { tip, height }: BlockNeed,
  reports: readonly HeightReport[],
  options: HeightOptions,
): number {
  const floor = tip ? Math.max(0, bestHeight(reports) - options.lag_blocks) : 0;
  if (height === 0) return floor;
  return Math.max(floor, Math.min(height, knownHeight(reports, options)));
}

/** The highest block any upstream is known to have. */
function knownHeight(
  reports: readonly HeightReport[],
  { height_memory_ms, monotonic_ms }: HeightOptions,
): number {
  let known = 0;
  for (const { isFit, height = 0, heightAt_ms } of reports) {
    if (height <= known) continue;
    if (isFit || monotonic_ms() - heightAt_ms <= height_memory_ms) known = height;
  }
  return known;
}
