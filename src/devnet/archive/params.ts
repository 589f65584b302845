import { isObject } from '../../../common/json/value.ts';
import { NodeError } from '../node-server.ts';

/** Parses one param. Throws an error with the reason. */
export type Read<T> = (value: unknown) => T;

type Values<Reads extends readonly Read<unknown>[]> = {
  readonly [Index in keyof Reads]: Reads[Index] extends Read<infer T> ? T : never;
};

const maxStorageKeys = 1024;
const maxBlockNumber = 2n ** 63n - 1n;
const tags = ['latest', 'earliest', 'pending', 'safe', 'finalized'] as const;

export type Tag = (typeof tags)[number];

function invalid(message: string): NodeError {
  return new NodeError(-32602, message);
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw new Error('expected a string');
  return value;
}

function readHex(value: unknown): string {
  const text = readText(value);
  if (!text.startsWith('0x')) throw new Error('hex string without 0x prefix');
  if (!/^0x[0-9a-fA-F]*$/.test(text)) throw new Error('invalid hex string');
  return text.toLowerCase();
}

function readFixed(value: unknown, bytes: number, name: string): string {
  const hex = readHex(value);
  const length = hex.length - 2;
  if (length === bytes * 2) return hex;
  throw new Error(`hex string has length ${length}, want ${bytes * 2} for ${name}`);
}

export const readHash: Read<string> = (value) => readFixed(value, 32, 'a hash');
export const readAddress: Read<string> = (value) => readFixed(value, 20, 'an address');

export const readBytes: Read<string> = (value) => {
  const hex = readHex(value);
  if (hex.length % 2 === 1) throw new Error('hex string of odd length');
  return hex;
};

export const readQuantity: Read<bigint> = (value) => {
  const hex = readHex(value);
  if (hex === '0x') throw new Error('empty hex string');
  if (/^0x0./.test(hex)) throw new Error('hex number with leading zero digits');
  if (hex.length > 66) throw new Error('hex number > 256 bits');
  return BigInt(hex);
};

export const readBoolean: Read<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new Error('expected a boolean');
  return value;
};

export const readObject: Read<Readonly<Record<string, unknown>>> = (value) => {
  if (isObject(value)) return value;
  throw new Error('expected an object');
};

export const readBlock: Read<Tag | bigint> = (value) => {
  const text = readText(value);
  const tag = tags.find((name) => name === text);
  if (tag !== undefined) return tag;
  const number = readQuantity(text);
  if (number > maxBlockNumber) throw new Error('block number larger than int64');
  return number;
};

/** A storage key: its 32 bytes, and its text in the response. */
export interface StorageKey {
  readonly slot: string;
  readonly shown: string;
}

/** As in geth, a 32-byte key is returned unchanged, a shorter one as a quantity. */
function readStorageKey(value: unknown): StorageKey {
  const hex = readHex(value);
  if (hex.length > 66) throw new Error('unable to decode storage key: hex string too long');
  const slot = `0x${hex.slice(2).padStart(64, '0')}`;
  return { slot, shown: hex.length === 66 ? slot : `0x${BigInt(slot).toString(16)}` };
}

export const readStorageKeys: Read<readonly StorageKey[]> = (value) => {
  if (!Array.isArray(value)) throw new Error('expected an array');
  if (value.length > maxStorageKeys) throw new Error(`too many slots (max ${maxStorageKeys})`);
  return value.map(readStorageKey);
};

function readOne(read: Read<unknown>, value: unknown, index: number): unknown {
  try {
    return read(value);
  } catch (error) {
    throw invalid(`invalid argument ${index}: ${(error as Error).message}`);
  }
}

/**
 * Returns a method that parses its positional params. It throws NodeError -32602 with geth's message.
 *
 * @param defaults of the last params, which may be absent.
 */
export function method<const Reads extends readonly Read<unknown>[]>(
  reads: Reads,
  answer: (...values: Values<Reads>) => unknown,
  defaults: readonly unknown[] = [],
): (params: unknown) => unknown {
  return (params) => {
    const given: unknown = params ?? [];
    if (!Array.isArray(given)) throw invalid('non-array args');
    if (given.length > reads.length) {
      throw invalid(`too many arguments, want at most ${reads.length}`);
    }
    const values = reads.map((read, index) => {
      const value: unknown = given[index] ?? defaults[index - reads.length + defaults.length];
      if (value === undefined) throw invalid(`missing value for required argument ${index}`);
      return readOne(read, value, index);
    });
    return answer(...(values as unknown as Values<Reads>));
  };
}
