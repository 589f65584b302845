import { base58 } from '@scure/base';
import { isObject } from '../../../../common/json/value.ts';
import { NodeError } from '../../node-server.ts';

/**
 * All errors of the Solana node, with the codes and texts of Agave's `rpc/src/rpc.rs` and
 * `rpc-client-api/src/custom_error.rs`, and of the JSON-RPC library beneath it (jsonrpc-core 18).
 */
export const errors = Object.freeze({
  methodNotFound: () => new NodeError(-32601, 'Method not found'),
  paramsNotArray: () => new NodeError(-32602, '`params` should be an array'),
  tooFewParams: (min: number) =>
    new NodeError(-32602, `\`params\` should have at least ${min} argument(s)`),
  tooManyParams: (range: { min: number; max: number; got: number }) =>
    new NodeError(
      -32602,
      `Invalid parameters: Expected from ${range.min} to ${range.max} parameters.`,
      `"Got: ${range.got}"`,
    ),
  noParamsExpected: () => new NodeError(-32602, 'Invalid parameters: No parameters were expected'),
  /** A parameter of the wrong shape. */
  invalidParams: (why: string) => new NodeError(-32602, `Invalid params: ${why}.`),
  /** A parameter of the right shape and a wrong value. */
  invalidParam: (why: string) => new NodeError(-32602, `Invalid param: ${why}`),
  tooManyFilters: (max: number) => new NodeError(-32602, `Too many filters provided; max ${max}`),
  base58TooLong: (max: number) =>
    new NodeError(
      -32600,
      `Encoded binary (base 58) data should be less than ${max} bytes, please use Base64 encoding.`,
    ),
  minContextSlotNotReached: (contextSlot: bigint) =>
    new NodeError(-32016, 'Minimum context slot has not been reached', { contextSlot }),
});

/**
 * Checks the number of positional params as Agave's method macro does (jsonrpc-derive, trailing
 * options). Absent params count as an empty list.
 */
export function takeParams(
  params: unknown,
  { min, max }: { min: number; max: number },
): readonly unknown[] {
  const list = params ?? [];
  if (max === 0) {
    if (!Array.isArray(list) || list.length > 0) throw errors.noParamsExpected();
    return list;
  }
  if (!Array.isArray(list)) throw errors.paramsNotArray();
  if (list.length < min) throw errors.tooFewParams(min);
  if (list.length > max) throw errors.tooManyParams({ min, max, got: list.length });
  return list;
}

/** A JSON object as it came in. */
export type Json = Readonly<Record<string, unknown>>;

const maxU64 = 2n ** 64n - 1n;

/** Names a value the way serde's errors do (serde, `de::Unexpected`). */
function nameValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'sequence';
  switch (typeof value) {
    case 'boolean':
      return `boolean \`${value}\``;
    case 'bigint':
      return `integer \`${value}\``;
    case 'number':
      return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
    case 'string':
      return `string ${JSON.stringify(value)}`;
    default:
      return 'map';
  }
}

/** The error for a value of the wrong type, in serde's words. */
export function invalidType(value: unknown, expected: string): Error {
  return errors.invalidParams(`invalid type: ${nameValue(value)}, expected ${expected}`);
}

export function decodeString(value: unknown): string {
  if (typeof value !== 'string') throw invalidType(value, 'a string');
  return value;
}

export function decodeBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalidType(value, 'a boolean');
  return value;
}

/** Decodes an unsigned 64-bit integer; `type` is what Agave declares it as, for the error's text. */
export function decodeUnsigned(value: unknown, type: 'u64' | 'usize'): bigint {
  const integer = typeof value === 'bigint' || Number.isInteger(value);
  if (!integer) throw invalidType(value, type);
  const unsigned = BigInt(value as number | bigint);
  if (unsigned < 0n || unsigned > maxU64) {
    throw errors.invalidParams(`invalid value: integer \`${unsigned}\`, expected ${type}`);
  }
  return unsigned;
}

export function decodeSequence(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidType(value, 'a sequence');
  return value;
}

/** Decodes an object; `name` is the Rust type's, which the error names. */
export function decodeStruct(value: unknown, name: string): Json {
  if (!isObject(value)) throw invalidType(value, `struct ${name}`);
  return value;
}

/** Decodes one of a closed set of names. */
export function decodeVariant<T extends string>(value: unknown, variants: readonly T[]): T {
  if (typeof value !== 'string') throw invalidType(value, 'string or map');
  const known = variants.find((variant) => variant === value);
  if (known === undefined) throw unknownVariant(value, variants);
  return known;
}

export function unknownVariant(name: string, variants: readonly string[]): Error {
  const listed = variants.map((variant) => `\`${variant}\``).join(', ');
  return errors.invalidParams(`unknown variant \`${name}\`, expected one of ${listed}`);
}

/** A field that must be there. */
export function requireField(object: Json, field: string): unknown {
  if (object[field] === undefined) throw errors.invalidParams(`missing field \`${field}\``);
  return object[field];
}

/** A field that may be absent or null. */
export function decodeOptional<T>(value: unknown, decode: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : decode(value);
}

const alphabet = /[^1-9A-HJ-NP-Za-km-z]/u;

/** Bytes, or the error as Rust's crate formats it (Debug). */
type Decoded = { readonly bytes: Uint8Array } | { readonly error: string };

/** Decodes base58 text as Rust's bs58 does; the time is quadratic in the length. */
export function decodeBase58(text: string): Decoded {
  const match = alphabet.exec(text);
  if (match === null) return { bytes: base58.decode(text) };
  const [character] = match;
  const error = /^[\0-\x7f]$/.test(character)
    ? `InvalidCharacter { character: '${character}', index: ${match.index} }`
    : `NonAsciiCharacter { index: ${match.index} }`;
  return { error };
}

const outside = /[^A-Za-z0-9+/=]/;

/** Decodes padded base64 text as Rust's base64 does. */
export function decodeBase64(text: string): Decoded {
  const strange = outside.exec(text) ?? /=(?!=?$)/.exec(text);
  if (strange !== null) {
    const byte = Buffer.from(strange[0])[0];
    return { error: `InvalidByte(${strange.index}, ${byte})` };
  }
  if (text.length % 4 === 1) return { error: `InvalidLength(${text.length})` };
  if (text.length % 4 !== 0) return { error: 'InvalidPadding' };
  return { bytes: Buffer.from(text, 'base64') };
}

/** Maximum length of 32 bytes in base58. */
const maxAddressLength = 44;

/**
 * Checks the address of a caller (solana-address, `FromStr`).
 *
 * @throws NodeError -32602 `Invalid param: WrongSize` if it is not 32 bytes, `Invalid param: Invalid`
 *   if it is not base58.
 */
export function parseAddress(text: string): string {
  if (text.length > maxAddressLength) throw errors.invalidParam('WrongSize');
  const decoded = decodeBase58(text);
  if ('error' in decoded) throw errors.invalidParam('Invalid');
  if (decoded.bytes.length !== 32) throw errors.invalidParam('WrongSize');
  return text;
}
