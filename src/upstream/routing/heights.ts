import type { BlockNeed } from './block-need.ts';

/** What is known of the height of one upstream. */
export interface HeightReport {
  readonly isFit: boolean;
  /** Of the newest block it told; undefined when it never did. */
  readonly height: number | undefined;
  /** When it told so. */
  readonly heightAt_ms: number;
  /** Blocks a second by which its height has grown of late. */
  readonly pace_per_s: number;
}

/** What is asked of the upstream that is to answer a call. */
export interface Demand {
  /** The newest state: it must not lag behind. */
  readonly tip: boolean;
  /** It must have told this height. */
  readonly floor: number;
  /** Its queue must have a place for this account. */
  readonly account?: string | undefined;
}

/**
 * The height an upstream must have told to be asked for a block. A block that some upstream is known
 * to have, be it one that has failed since, is not asked of those below it: their null would be a
 * lie. A block above all of them may not exist yet, so the highest ones are asked, and their null is
 * the truth. The height of an upstream no longer fit counts for `height_memory_ms`.
 */
export function demandOf(
  { tip, height }: BlockNeed,
  reports: readonly HeightReport[],
  { height_memory_ms, now_ms }: { readonly height_memory_ms: number; readonly now_ms: number },
): Demand {
  if (height === 0) return { tip, floor: 0 };
  let known = 0;
  for (const report of reports) {
    const counts = report.isFit || now_ms - report.heightAt_ms <= height_memory_ms;
    if (counts && (report.height ?? 0) > known) known = report.height ?? 0;
  }
  return { tip, floor: Math.min(height, known) };
}

/** How far one height is behind that of the highest upstream that is fit. */
export function lagOf(height: number, reports: readonly HeightReport[]): number {
  return Math.max(0, (highest(reports)?.height ?? 0) - height);
}

export interface LagOptions {
  /** Blocks an upstream may be behind. */
  readonly lag_blocks: number;
  /** Whether it may be behind, too, by what the chain has grown since it told its height. */
  readonly grows: boolean;
  readonly now_ms: number;
}

/** Heights are told in turn: one told a moment later is not yet ahead. */
const TURN_MS = 1_000;

/** Whether an upstream is too far behind the highest one to be asked for the newest state. */
export function isBehind(
  report: HeightReport,
  reports: readonly HeightReport[],
  { lag_blocks, grows, now_ms }: LagOptions,
): boolean {
  const best = highest(reports);
  if (best === undefined) return false;
  const age_s = (now_ms - report.heightAt_ms + TURN_MS) / 1000;
  const allowed = lag_blocks + (grows ? best.pace_per_s * age_s : 0);
  return (best.height ?? 0) - (report.height ?? 0) > allowed;
}

function highest(reports: readonly HeightReport[]): HeightReport | undefined {
  let best: HeightReport | undefined;
  for (const report of reports) {
    if (!report.isFit || report.height === undefined) continue;
    if (best === undefined || report.height > (best.height ?? 0)) best = report;
  }
  return best;
}
