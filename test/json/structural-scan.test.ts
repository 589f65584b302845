import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKED_BYTES, ObjectScanner } from '../../src/json/object-scanner.ts';
import { StructuralScan, type Place } from '../../src/json/structural-scan.ts';
import { temporaryFolder } from '../store/support.ts';
import { atScale, seedOfCases } from '../support/soak.ts';

const MAX_DEPTH = 20;

/** Where the value ends or is too deep, byte by byte; undefined if it does neither. */
function expectedEnd(text: Buffer, place: Place): number | string | undefined {
  let { depth, isInString, isEscaped } = place;
  for (const [index, byte] of text.entries()) {
    const char = String.fromCharCode(byte);
    const wasEscaped = isEscaped;
    isEscaped = !wasEscaped && char === '\\';
    if (char === '"' && !wasEscaped) isInString = !isInString;
    else if (!isInString && '{['.includes(char)) depth += 1;
    else if (!isInString && '}]'.includes(char)) depth -= 1;
    if (depth === 0) return index + 1;
    if (depth > MAX_DEPTH) return `too deep at ${index + 1}`;
  }
  return undefined;
}

function foundEnd(chunks: readonly Buffer[], place: Place): number | string | undefined {
  const scan = new StructuralScan(place, MAX_DEPTH);
  let passed = 0;
  try {
    for (const chunk of chunks) {
      const end = scan.feed(chunk, 0, (at) => {
        throw new Error(`too deep at ${passed + at}`);
      });
      if (end !== undefined) return passed + end;
      passed += chunk.length;
    }
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

function cut(text: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length]!;
    chunks.push(Buffer.from(text.subarray(at, at + size)));
    at += size;
  }
  return chunks;
}

const places = fc.record({
  depth: fc.integer({ min: 1, max: 6 }),
  isInString: fc.boolean(),
  isEscaped: fc.boolean(),
});
const texts = fc.string({
  unit: fc.constantFrom(...'{}[]"\\"\\', '[', '{', 'abcdefg', ' ', 'é'),
  maxLength: 400,
});

describe('StructuralScan', () => {
  it('finds the same end as a scan byte by byte, in any chunks', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, places, sizes, (text, place, cuts) => {
        const bytes = Buffer.from(text);
        expect(foundEnd(cut(bytes, cuts), place)).toEqual(expectedEnd(bytes, place));
      }),
      { seed: seedOfCases(), numRuns: atScale(20_000, 5_000) },
    );
  });

  it('finds the same end for every split of a text into two chunks', () => {
    const text = Buffer.from(`${'{"a\\\\\\"}]":["\\\\",'.repeat(9)}${']}'.repeat(9)}  `.repeat(2));
    const place = { depth: 1, isInString: false, isEscaped: false };
    const expected = expectedEnd(Buffer.concat([text, Buffer.from(']')]), place);
    expect(expected).toBe(text.length + 1);
    for (let at = 0; at <= text.length; at += 1) {
      const chunks = [text.subarray(0, at), Buffer.concat([text.subarray(at), Buffer.from(']')])];
      expect(foundEnd(chunks, place)).toBe(expected);
    }
  });

  it('reads chunks that are larger than its memory', () => {
    const place = { depth: 1, isInString: false, isEscaped: false };
    const text = Buffer.from(`"${'\\\\}'.repeat(100_000)}"]]`);
    expect(foundEnd([text], place)).toBe(text.length - 1);
  });

  it('keeps scans apart that take turns', () => {
    const outside = new StructuralScan({ depth: 1, isInString: false, isEscaped: false }, 4);
    const inside = new StructuralScan({ depth: 2, isInString: true, isEscaped: true }, 4);
    const never = (): never => expect.unreachable();
    expect(outside.feed(Buffer.from('"'), 0, never)).toBeUndefined();
    expect(inside.feed(Buffer.from('"]"]'), 0, never)).toBeUndefined();
    expect(outside.feed(Buffer.from(']"]'), 0, never)).toBe(3);
    expect(inside.feed(Buffer.from(']'), 0, never)).toBe(1);
  });

  it('is compiled from the source', async () => {
    const compiled = join(await temporaryFolder(), 'compiled.wasm');
    execFileSync(process.execPath, ['scripts/compile-scanner.js', compiled]);
    expect(
      readFileSync(compiled).equals(readFileSync('src/json/structural-scan.wasm')),
      'src/json/structural-scan.wasm is out of date; run npm run generate',
    ).toBe(true);
  });
});

/** The bytes of the members of a text that is fed at once. */
function members(text: string): [string, string][] {
  const found: [string, string][] = [];
  const pieces: Buffer[] = [];
  let name = '';
  const scanner = new ObjectScanner(
    {
      begin: (begun) => void (name = begun),
      piece: (bytes) => void pieces.push(bytes),
      end: () => void found.push([name, Buffer.concat(pieces.splice(0)).toString()]),
    },
    MAX_DEPTH,
  );
  scanner.feed(Buffer.from(text));
  scanner.end();
  return found;
}

describe('ObjectScanner in a large text', () => {
  const result = '{"a":["\\\\",-1.5e3,"\\u00e9\\"]",{"b":{}},[true,[]]],"c":null}';

  it('finds the end of a value wherever the full check ends', () => {
    for (let at = 0; at <= result.length; at += 1) {
      const value = `["${'x'.repeat(CHECKED_BYTES - '["",'.length - at)}",${result}]`;
      expect(members(`{"result":${value},"id":1}`)).toEqual([
        ['result', value],
        ['id', '1'],
      ]);
    }
  });

  it('checks a small value in full wherever it is', () => {
    const pad = 'x'.repeat(CHECKED_BYTES);
    expect(members(`{"pad":"${pad}","result":${result},"id":1}`)).toHaveLength(3);
    expect(() => members(`{"pad":"${pad}","result":{"a":!},"id":1}`)).toThrow('expected a value');
    expect(() => members(`{"pad":["${pad}",1],"result":{"a" 1},"id":1}`)).toThrow('a colon');
  });

  it('checks the syntax outside of the value, its encoding and its depth', () => {
    const pad = '0,'.repeat(CHECKED_BYTES);
    const large = `{"result":[${pad}0],`;
    expect(members(`${large}"id":1}`)).toHaveLength(2);
    expect(() => members(`${large}id:1}`)).toThrow('expected a member name');
    expect(() => members(`{"result":[${pad}${'['.repeat(MAX_DEPTH - 2)}`)).toThrow(
      'unexpected end',
    );
    expect(() => members(`{"result":[${pad}${'['.repeat(MAX_DEPTH - 1)}`)).toThrow('too deeply');
    const scanner = new ObjectScanner({ begin() {}, piece() {}, end() {} }, MAX_DEPTH);
    scanner.feed(Buffer.from(`{"result":["${pad}`));
    expect(() => scanner.feed(Buffer.from([0xff]))).toThrow('not UTF-8');
  });
});
