import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  elementRanges,
  memberRanges,
  rangeAt,
  scanMembers,
  scanText,
} from '../../src/json/ranges.ts';
import { JsonSyntaxError } from '../../src/json/scanner.ts';
import { atScale, seedOfCases } from '../support/soak.ts';

const DEPTH = 64;
const at = (bytes: Buffer, range: { start: number; end: number }): string =>
  bytes.toString('utf8', range.start, range.end);

function accepts(bytes: Buffer): boolean {
  try {
    scanText(bytes, DEPTH);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSyntaxError);
    return false;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const pieces = String.raw`{ } [ ] , : " "a" \ \n \u00e9 \u00g0 é 0 1 - . e E+ 01 -0 1.5e3 true fals null tru`;

/** Text that is nearly JSON: pieces of the grammar strung together at random. */
const nearlyJson = fc
  .array(fc.constantFrom(' ', '\t', '\u0001', ...pieces.split(' ')), { maxLength: 12 })
  .map((chosen) => chosen.join(''));

describe('scanText', () => {
  it('accepts every text that JSON.parse accepts, with any white space', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.nat({ max: 4 }), (text, indent) => {
        expect(accepts(Buffer.from(JSON.stringify(JSON.parse(text), null, indent)))).toBe(true);
      }),
    );
  });

  it('agrees with JSON.parse on text that is almost JSON', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        expect(accepts(Buffer.from(text))).toBe(parses(text));
      }),
      { seed: seedOfCases(), numRuns: atScale(5_000, 2_000) },
    );
  });

  it('agrees with JSON.parse on every truncation and every changed byte of a text', () => {
    const text = ' {"a":[1,-2.5e+3,"x\\u00e9\\n",true,false,null,{}],"b":{"c":[[]]}} ';
    for (let length = 0; length < text.length; length += 1) {
      const cut = text.slice(0, length);
      expect(accepts(Buffer.from(cut)), cut).toBe(parses(cut));
      for (const other of '"{}[],:\\0a \n') {
        const changed = text.slice(0, length) + other + text.slice(length + 1);
        expect(accepts(Buffer.from(changed)), changed).toBe(parses(changed));
      }
    }
  });

  it('agrees with JSON.parse on every ASCII byte at every position of a string', () => {
    for (let place = 0; place < 12; place += 1) {
      for (let byte = 0; byte < 128; byte += 1) {
        const letters = ['a', 'é', '\u{1f600}', ...'bcdefghij'];
        letters[place] = String.fromCharCode(byte);
        const text = `["${letters.join('')}",1]`;
        expect(accepts(Buffer.from(text)), text).toBe(parses(text));
      }
    }
  });

  it('rejects invalid UTF-8 and a byte order mark', () => {
    expect(accepts(Buffer.from([0x22, 0xff, 0x22]))).toBe(false);
    expect(accepts(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe(false);
    expect(accepts(Buffer.from('\uFEFF[]'))).toBe(false);
    expect(accepts(Buffer.from('"\\ud800 é 😀"'))).toBe(true);
  });

  it('limits the depth', () => {
    expect(accepts(Buffer.from('['.repeat(DEPTH) + ']'.repeat(DEPTH)))).toBe(true);
    expect(accepts(Buffer.from('['.repeat(DEPTH + 1) + ']'.repeat(DEPTH + 1)))).toBe(false);
    expect(accepts(Buffer.from('{"a":'.repeat(100_000)))).toBe(false);
  });
});

describe('the ranges of members and elements', () => {
  it('are returned for each member of an object, with its decoded name', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat({ max: 3 }),
        (value, indent) => {
          const bytes = Buffer.from(JSON.stringify(value, null, indent));
          const text = scanText(bytes, DEPTH);
          const members = text.kind === 'object' ? text.members : [];
          expect(members.map(({ name }) => name)).toEqual(Object.keys(value));
          for (const member of members) {
            expect(JSON.parse(at(bytes, member))).toEqual(
              JSON.parse(
                JSON.stringify(Object.getOwnPropertyDescriptor(value, member.name)?.value),
              ),
            );
          }
          expect(memberRanges(bytes, text.start)).toEqual(members);
        },
      ),
    );
  });

  it('are returned for each element of an array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat({ max: 3 }), (value, indent) => {
        const bytes = Buffer.from(` ${JSON.stringify(value, null, indent)} `);
        const text = scanText(bytes, DEPTH);
        const elements = text.kind === 'array' ? text.elements : [];
        expect(elements.map((element) => JSON.parse(at(bytes, element)) as unknown)).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
        expect(elementRanges(bytes, text.start)).toEqual(elements);
      }),
    );
  });

  it('follow a JSON pointer, using the last of duplicate names', () => {
    const bytes = Buffer.from('[{"gas":1,"a/b":[true,{"~":"deep"}],"gas":"0x2"}, 7]');
    const read = (pointer: string): string | undefined => {
      const range = rangeAt(bytes, pointer);
      return range && at(bytes, range);
    };
    expect(read('/0/gas')).toBe('"0x2"');
    expect(read('/0/a~1b/1/~0')).toBe('"deep"');
    expect(read('/1')).toBe('7');
    expect(read('')).toBe(bytes.toString());
    expect([read('/2'), read('/0/none'), read('/1/x'), read('/0/none/deeper')]).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('scanMembers', () => {
  it('returns the last value of each requested member', () => {
    const bytes = Buffer.from(' { "id":1, "x":{"id":2}, "\\u0069d": [3] } ');
    const members = scanMembers(bytes, DEPTH, new Set(['id', 'result']));
    expect(
      [...members].map(([name, { start, end }]) => [name, String(bytes.subarray(start, end))]),
    ).toEqual([['id', '[3]']]);
  });

  it.each(['[]', '1', '', '{"id":1}x', '{"id":}'])('rejects %j', (text) => {
    expect(() => scanMembers(Buffer.from(text), DEPTH, new Set(['id']))).toThrow(JsonSyntaxError);
  });
});
