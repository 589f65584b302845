import { errors } from './errors.ts';

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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidType(value, `struct ${name}`);
  }
  return value as Json;
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
