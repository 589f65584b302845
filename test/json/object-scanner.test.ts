import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectScanner } from '../../src/json/object-scanner.ts';
import { scanText } from '../../src/json/ranges.ts';
import { JsonSyntaxError } from '../../src/json/scanner.ts';
import { atScale, seedOfCases } from '../support/soak.ts';

const DEPTH = 12;

/** The members of the text, read in the given chunks; undefined if it is not an object. */
function scan(chunks: readonly Buffer[], max_depth = DEPTH): [string, string][] | undefined {
  const members: [string, string][] = [];
  const pieces: Buffer[] = [];
  let name = '';
  const scanner = new ObjectScanner(
    {
      begin: (begun) => void (name = begun),
      piece: (bytes) => void pieces.push(bytes),
      end: () => void members.push([name, Buffer.concat(pieces.splice(0)).toString()]),
    },
    max_depth,
  );
  try {
    for (const chunk of chunks) scanner.feed(chunk);
    scanner.end();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
  return members;
}

function whole(bytes: Buffer): [string, string][] | undefined {
  try {
    const text = scanText(bytes, DEPTH);
    if (text.kind !== 'object') return undefined;
    return text.members.map(({ name, start, end }) => [name, bytes.toString('utf8', start, end)]);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length]!;
    chunks.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

describe('ObjectScanner', () => {
  it('returns the members of an object with their bytes, for any chunks', () => {
    const text = Buffer.from(
      ' { "jsonrpc":"2.0" , "result" : [ 18446744073709551615, -0.50e+07 ,"é\\u00e9𝄞\\"", {"id":[]} ],' +
        '"id":7,"n\\u0061me":null,"error":{},"true":true,"":-0}\n',
    );
    const expected = whole(text);
    expect(expected).toHaveLength(7);
    for (let size = 1; size <= text.length; size += 1) {
      expect(scan(cut(text, [size]))).toEqual(expected);
    }
  });

  it('accepts and rejects the same texts as scanText', () => {
    const chars = fc.constantFrom(
      ...'{}[],:"\\ 0123456789.eE+-truefalsn\n\té𝄞',
      '\\u12',
      '{"a":',
      '"b"',
      'null',
    );
    const nearly = fc.oneof(
      fc.string({ unit: chars, maxLength: 24 }).map((text) => `{"a":${text}}`),
      fc.json({ maxDepth: 4 }).map((text) => `{"a":${text},"b":${text}}`),
      fc.string({ unit: chars, maxLength: 24 }),
    );
    fc.assert(
      fc.property(nearly, sizes, (text, cuts) => {
        const bytes = Buffer.from(text);
        expect(scan(cut(bytes, cuts))).toEqual(whole(bytes));
      }),
      { seed: seedOfCases(), numRuns: atScale(20_000, 5_000) },
    );
  });

  it('rejects invalid UTF-8 in any chunks', () => {
    const bytes = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9d, 0x84, 0x9e, 0xff),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(bytes, sizes, (inner, cuts) => {
        const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(inner), Buffer.from('"}')]);
        expect(scan(cut(text, cuts))).toEqual(whole(text));
      }),
      { seed: seedOfCases(), numRuns: atScale(10_000, 2_500) },
    );
  });

  it('rejects text that is nested too deeply', () => {
    const nested = (levels: number): Buffer[] => [
      Buffer.from(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`),
    ];
    expect(scan(nested(DEPTH - 1))).toBeDefined();
    expect(scan(nested(DEPTH))).toBeUndefined();
  });

  it('truncates long names', () => {
    const members = scan([Buffer.from(`{"${'n'.repeat(10_000)}":1}`)]);
    expect(members).toHaveLength(1);
    expect(members![0]![0]).toHaveLength(64);
  });

  it('reports the byte offset in the whole text', () => {
    const scanner = new ObjectScanner({ begin() {}, piece() {}, end() {} }, DEPTH);
    scanner.feed(Buffer.from('{"a":'));
    expect(() => scanner.feed(Buffer.from(' ?'))).toThrow('at byte 6');
  });
});
