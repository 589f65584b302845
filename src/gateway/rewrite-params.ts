import { printBigInts } from '../../common/json/exact.ts';
import { valueAt } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import { type Edit, elementRanges, rangeAt, splice } from '../json/ranges.ts';
import type { MethodEntry } from './protocol.ts';

interface Params {
  /** Parsed, and valid. */
  readonly params: readonly unknown[];
  readonly rawParams: Buffer;
}

/** Whether `rewriteParams` needs the gas limit of the newest block. */
export function needsGasLimit({ gasCaps }: MethodEntry): boolean {
  return gasCaps.length > 0;
}

/**
 * Returns the params sent to a node: normalized, capped and completed with defaults as the document
 * specifies for the method. Everything else keeps its bytes. `gasLimit` is that of the newest block.
 */
export function rewriteParams(
  entry: MethodEntry,
  { params, rawParams }: Params,
  gasLimit: bigint | null,
): Buffer {
  const edits: Edit[] = [];
  const replace = (pointer: string, value: string): void => {
    const range = rangeAt(rawParams, pointer);
    if (range !== undefined) edits.push({ ...range, replacement: JSON.stringify(value) });
  };
  for (const { pointer, aliases } of entry.normalize) {
    const value = valueAt(params as readonly Json[], pointer);
    const normal = toQuantity(value) ?? aliases[String(value)];
    if (normal !== undefined && normal !== value) replace(pointer, normal);
  }
  for (const { pointer, timesBlockGasLimit } of entry.gasCaps) {
    const gas = valueAt(params as readonly Json[], pointer);
    const cap = gasLimit === null ? undefined : multiply(gasLimit, timesBlockGasLimit);
    if (typeof gas === 'string' && cap !== undefined && exceeds(gas, cap)) replace(pointer, cap);
  }
  const defaults = missingDefaults(entry, params.length);
  if (defaults.length > 0) edits.push(append(rawParams, defaults));
  return splice(rawParams, edits);
}

/** Returns the defaults of the omitted params, up to the first one without a default. */
function missingDefaults({ params }: MethodEntry, given: number): readonly unknown[] {
  const missing = params.slice(given);
  const end = missing.findIndex((param) => param.default === undefined);
  return (end === -1 ? missing : missing.slice(0, end)).map((param) => param.default);
}

function append(rawParams: Buffer, values: readonly unknown[]): Edit {
  const last = elementRanges(rawParams, 0).at(-1);
  const at = last?.end ?? 1;
  const text = values.map((value) => printBigInts(value)).join(',');
  return { start: at, end: at, replacement: last === undefined ? text : `,${text}` };
}

/**
 * Converts a number, or a string of decimal digits, to a quantity of the Ethereum JSON-RPC encoding:
 * `0x` and hexadecimal digits without leading zeros. Returns undefined for everything else, quantities
 * included.
 */
export function toQuantity(value: unknown): string | undefined {
  const isNumber = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  const isDecimal = typeof value === 'string' && /^\d+$/.test(value);
  return isNumber || isDecimal ? `0x${BigInt(value).toString(16)}` : undefined;
}

/** Returns `times` × `value` as a quantity. */
export function multiply(value: bigint, times: number): string {
  return `0x${(value * BigInt(times)).toString(16)}`;
}

/** Whether one quantity is greater than another. Compares digits, since quantities may be of any length. */
export function exceeds(quantity: string, other: string): boolean {
  const [left, right] = [digitsOf(quantity), digitsOf(other)];
  return left.length === right.length ? left > right : left.length > right.length;
}

function digitsOf(quantity: string): string {
  return quantity.slice(2).toLowerCase().replace(/^0+/, '');
}
