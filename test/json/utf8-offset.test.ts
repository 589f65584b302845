import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ObjectScanner } from '../../src/json/object-scanner.ts';
import { scanText } from '../../src/json/ranges.ts';
import { JsonSyntaxError } from '../../src/json/scanner.ts';

/** Sequences that are not UTF-8: broken off, overlong, a surrogate, beyond the last character. */
const invalid = [
  [0xff],
  [0x80],
  [0xc0, 0xaf],
  [0xe2, 0x82],
  [0xef, 0xbf],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
].map((bytes) => Buffer.from(bytes));

function offsetOf(read: () => unknown): number {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect((error as Error).message).toMatch(/^not UTF-8 at byte \d+$/);
    return (error as JsonSyntaxError).offset;
  }
  throw new Error('the text was accepted');
}

function scanInChunks(text: Buffer, size: number): void {
  const sink = { begin: () => undefined, piece: () => undefined, end: () => undefined };
  const scanner = new ObjectScanner(sink, 8);
  for (let at = 0; at < text.length; at += size) scanner.feed(text.subarray(at, at + size));
  scanner.end();
}

it('the error names the byte at which the invalid character begins', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...invalid),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(5_000),
      (before, wrong, size, count) => {
        const long = before + '€'.repeat(count);
        const start = Buffer.from(`{"a":${JSON.stringify(long)},"b":"`);
        const text = Buffer.concat([start, wrong, Buffer.from('"}')]);
        expect(isUtf8(text)).toBe(false);
        expect(offsetOf(() => scanText(text, 8))).toBe(start.length);
        expect(offsetOf(() => scanInChunks(text, size))).toBe(start.length);
      },
    ),
  );
});
