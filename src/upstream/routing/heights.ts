import { rangeAt } from '../../json/ranges.ts';
import type { UpstreamCall } from '../upstream.ts';

/** A parameter that names a block or slot, as described by the document. */
export interface BlockParam {
  /** JSON pointer (RFC 6901) into the params. */
  readonly pointer: string;
  /**
   * `at`: the method reads that block; `from`: it reads the latest state, which must be that of the block
   * or a later one.
   */
  readonly reads: 'at' | 'from';
}

/** By method; methods not listed read the latest state. */
export type BlockParams = Readonly<Record<string, readonly BlockParam[]>>;

/** What a node must have to answer a call. */
export interface BlockNeed {
  /** Whether the call reads the latest state. */
  readonly tip: boolean;
  /** The number of the block that the call names; 0 when it names none. */
  readonly height: number;
}

/**
 * Reads from the params of a call which block it needs: a hexadecimal or decimal number names a
 * block, `earliest` the first one, and any other tag or an absent parameter the latest state.
 */
export function blockNeed(params: BlockParams, { method, params: bytes }: UpstreamCall): BlockNeed {
  const named = params[method];
  if (named === undefined || named.length === 0) return LATEST;
  const blocks = named.map(({ pointer, reads }) => {
    const number = numberAt(bytes, pointer);
    return { tip: number === undefined || reads === 'from', height: number ?? 0 };
  });
  return {
    tip: blocks.some(({ tip }) => tip),
    height: Math.max(0, ...blocks.map(({ height }) => height)),
  };
}

const LATEST: BlockNeed = Object.freeze({ tip: true, height: 0 });

function numberAt(bytes: Buffer, pointer: string): number | undefined {
  const range = rangeAt(bytes, pointer);
  if (range === undefined) return undefined;
  const value = bytes.toString('latin1', range.start, range.end).replaceAll('"', '');
  if (value === 'earliest') return 0;
  return /^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : undefined;
}

/** The last known height of a node. */
export interface HeightReport {
  readonly isHealthy: boolean;
  /** Number of its latest block; undefined until the first successful probe. */
  readonly height: number | undefined;
  readonly heightAt_ms: number;
  /** Its height when it last answered a call; undefined before. */
  readonly answeredHeight: number | undefined;
  /** Whether it has failed too many calls lately, or too many of this account. */
  failsFor(account: string | undefined): boolean;
  /** Whether it can take a call of this account and has not failed too many of the account's calls. */
  isUsableBy(account: string | undefined): boolean;
  /** Recent growth of its height. */
  readonly blocks_per_s: number;
}

/** What a call demands of the node that answers it. */
export interface Demand {
  /** The node must not lag behind. */
  readonly tip: boolean;
  /** The node must have reached this height. */
  readonly minHeight: number;
  /** The node must be able to take a call of this account. */
  readonly account?: string | undefined;
}

/**
 * Returns what a call that needs a block demands of a node. If some node is known to have the block, even
 * one that has failed since, nodes below that block are not asked, because their `null` would be wrong. A
 * block above all nodes may not exist yet, so the highest nodes are asked, and their `null` is correct. The
 * height of an unhealthy node counts for `height_memory_ms`.
 */
export function demandOf(
  { tip, height }: BlockNeed,
  reports: readonly HeightReport[],
  memory: HeightMemory,
): Demand {
  const { account } = memory;
  if (height === 0) return { tip, minHeight: 0, account };
  const known = Math.max(0, ...reports.map((report) => knownHeight(report, memory)));
  return { tip, minHeight: Math.min(height, known), account };
}

interface HeightMemory {
  readonly account: string | undefined;
  readonly height_memory_ms: number;
  readonly now_ms: number;
}

/** Returns the height that a node is known to have. */
function knownHeight(
  report: HeightReport,
  { account, height_memory_ms, now_ms }: HeightMemory,
): number {
  const { isHealthy, height = 0, heightAt_ms } = report;
  if (!isHealthy) return now_ms - heightAt_ms <= height_memory_ms ? height : 0;
  return readableHeight(report, account) ?? 0;
}

/**
 * Returns the height up to which calls of an account can be expected to be answered. While a node fails
 * calls, the heights that it has reported to probes since it last answered a call do not count. It may
 * answer the calls of this account all the same, so those before count.
 */
export function readableHeight(
  report: Pick<HeightReport, 'height' | 'answeredHeight' | 'failsFor'>,
  account?: string,
): number | undefined {
  const { height, answeredHeight = 0 } = report;
  if (height === undefined || !report.failsFor(account)) return height;
  return Math.min(height, answeredHeight);
}

/** Returns how many blocks a height is behind the highest healthy node. */
export function lagOf(height: number, reports: readonly HeightReport[]): number {
  let highest = height;
  for (const report of reports) {
    if (report.isHealthy) highest = Math.max(highest, report.height ?? 0);
  }
  return highest - height;
}

export interface LagOptions {
  readonly lag_blocks: number;
  /** Whether the growth of the chain since the node's last probe is allowed too. */
  readonly allowsGrowth: boolean;
  readonly account: string | undefined;
  readonly now_ms: number;
}

/**
 * Allows for the different times of probes: a node that was probed a moment later is not necessarily ahead.
 */
const PROBE_SPREAD_MS = 1_000;

/**
 * Whether a node is too far behind the highest node that the account can use to be asked for the latest
 * state. Nodes that the account cannot use do not count, nor do heights that cannot be read: a node that
 * answers only probes would exclude all others.
 */
export function isBehind(
  report: HeightReport,
  reports: readonly HeightReport[],
  { lag_blocks, allowsGrowth, account, now_ms }: LagOptions,
): boolean {
  let best: HeightReport | undefined;
  let highest = 0;
  for (const other of reports) {
    const height = readableHeight(other, account) ?? 0;
    if (height <= highest || !other.isUsableBy(account)) continue;
    best = other;
    highest = height;
  }
  if (best === undefined) return false;
  const age_s = (now_ms - report.heightAt_ms + PROBE_SPREAD_MS) / 1000;
  const allowed = lag_blocks + (allowsGrowth ? best.blocks_per_s * age_s : 0);
  return highest - (report.height ?? 0) > allowed;
}
