import { printBigInts } from '../../common/json/exact.ts';
import { type Edit, elementRanges, type Range, rangesAt, splice } from '../json/ranges.ts';
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
  const isKept = entry.normalize.length === 0 && entry.gasCaps.length === 0;
  if (isKept && params.length >= entry.params.length) return rawParams;
  const edits: Edit[] = [];
  const replaceAt = (pointer: string, change: (value: unknown) => string | undefined): void => {
    for (const range of rangesAt(rawParams, pointer)) {
      const value = scalarAt(rawParams, range);
      const changed = change(value);
      if (changed === undefined || changed === value) continue;
      edits.push({ ...range, replacement: JSON.stringify(changed) });
    }
  };
  for (const { pointer, to, aliases } of entry.normalize) {
    replaceAt(pointer, (value) =>
      to === 'bytes32' ? toBytes32(value) : (toQuantity(value) ?? aliases[String(value)]),
    );
  }
  for (const { pointer, timesBlockGasLimit } of entry.gasCaps) {
    const cap = gasLimit === null ? undefined : multiply(gasLimit, timesBlockGasLimit);
    replaceAt(pointer, (gas) =>
      typeof gas === 'string' && cap !== undefined && exceeds(gas, cap) ? cap : undefined,
    );
  }
  const defaults = missingDefaults(entry, params.length);
  if (defaults.length > 0) edits.push(append(rawParams, defaults));
  return splice(rawParams, edits);
}

const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** Returns the parsed value of a range; undefined for an object or an array. */
function scalarAt(bytes: Buffer, { start, end }: Range): unknown {
  if (bytes[start] === OPENING_BRACKET || bytes[start] === OPENING_BRACE) return undefined;
  return JSON.parse(bytes.toString('utf8', start, end));
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

/** Pads hexadecimal digits to 32 bytes with zeros on the left. */
function toBytes32(value: unknown): string | undefined {
  return typeof value === 'string' ? `0x${value.slice(2).padStart(64, '0')}` : undefined;
}

function multiply(value: bigint, times: number): string {
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
