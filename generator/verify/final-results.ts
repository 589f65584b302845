import { printExact } from '../../common/json/exact.ts';
import { valueAt } from '../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { positionalParams, type VerifiedMethod } from './contract.ts';
import { findDifference } from './difference.ts';
import { canonicalText } from './message.ts';

/** Maximum number of characters of results that are kept for a comparison. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Compares results that the document says no longer change (`x-immutable`) with earlier ones. */
export class FinalResults {
  readonly #results = new Map<string, JsonObject>();
  #charactersLeft = MAX_CHARACTERS;

  /**
   * Returns how a result differs from that of an earlier call with the same params; undefined if it does
   * not, or may. `finalized` is the number of a finalized block.
   */
  compare(
    { method, params }: { readonly method: VerifiedMethod; readonly params: Json },
    response: JsonObject,
    finalized: bigint | null,
  ): string | undefined {
    if (!isFinal({ method, params }, response, finalized)) return undefined;
    const key = `${method.name} ${canonicalText(printExact(params))}`;
    const before = this.#results.get(key);
    if (before !== undefined) return findDifference(before, response, 'result', { isExact: true });
    this.#charactersLeft -= key.length + printExact(response).length;
    if (this.#charactersLeft > 0) this.#results.set(key, response);
    return undefined;
  }
}

/** Checks whether the document says that the result of a response no longer changes. */
export function isFinal(
  { method, params }: { readonly method: VerifiedMethod; readonly params: Json },
  { result = null }: JsonObject,
  finalized: bigint | null,
): boolean {
  const { immutable } = method;
  if (immutable === null || result === null) return false;
  if (immutable.block === null) return true;
  const { in: place, pointer } = immutable.block;
  const from = place === 'result' ? result : positionalParams(method, params);
  const number = blockNumber(valueAt(from, pointer));
  return number !== null && finalized !== null && number <= finalized;
}

/** Returns a number of a block: an integer, decimal digits or a quantity; null for anything else. */
export function blockNumber(value: Json | undefined): bigint | null {
  const text = typeof value === 'number' ? printExact(value) : value;
  return typeof text === 'string' && /^(?:0x[\da-f]+|\d+)$/i.test(text) ? BigInt(text) : null;
}
