import { rangeAt } from '../../json/ranges.ts';
import type { UpstreamCall } from '../upstream.ts';

/** Where a method's params name a block (or slot), as its document says. */
export interface BlockParam {
  /** RFC 6901, into the params. */
  readonly pointer: string;
  /** `at`: the method reads that block; `from`: the newest state, of that block or a later one. */
  readonly reads: 'at' | 'from';
}

/** By method; a method that is not here reads the newest state. */
export type BlockParams = Readonly<Record<string, readonly BlockParam[]>>;

/** What a node must know to answer a call. */
export interface BlockNeed {
  /** The newest state. */
  readonly tip: boolean;
  /** A block of this number; 0 when none is named. */
  readonly height: number;
}

const TIP: BlockNeed = { tip: true, height: 0 };

/**
 * What the params of a call ask for: hexadecimal quantities, decimal numbers and digits name a
 * block, `earliest` the first one, and every other tag, and nothing at all, the newest state.
 */
export function blockNeed(params: BlockParams, { method, params: bytes }: UpstreamCall): BlockNeed {
  const named = params[method];
  if (named === undefined || named.length === 0) return TIP;
  let tip = false;
  let height = 0;
  for (const { pointer, reads } of named) {
    const number = numberAt(bytes, pointer);
    tip ||= number === undefined || reads === 'from';
    height = Math.max(height, number ?? 0);
  }
  return { tip, height };
}

function numberAt(bytes: Buffer, pointer: string): number | undefined {
  const range = rangeAt(bytes, pointer);
  if (range === undefined) return undefined;
  const value = bytes.toString('latin1', range.start, range.end).replaceAll('"', '');
  if (value === 'earliest') return 0;
  return /^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : undefined;
}
