import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasDuplicateNames, splice } from '../../src/json/ranges.ts';

function check(text: string): boolean {
  return hasDuplicateNames(Buffer.from(text), JSON.parse(text) as unknown);
}

describe('hasDuplicateNames', () => {
  it('finds a duplicate name at any depth, also if one is escaped', () => {
    expect(check('[{"gas":"0x1","gas":"0x2"}]')).toBe(true);
    expect(check('[{"gas":"0x1","g\\u0061s":"0x2"}]')).toBe(true);
    expect(check('[[{"a":{"b":1,"c":{"d":1,"d":1}}}]]')).toBe(true);
    expect(check('[{"__proto__":1,"__proto__":2}]')).toBe(true);
  });

  it('finds no duplicates in the output of JSON.stringify', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => !check(JSON.stringify(value))));
  });
});

describe('splice', () => {
  it('replaces ranges in any order and keeps every other byte', () => {
    const bytes = Buffer.from('[ 12, {"gas" : "0xff"} ]');
    const edits = [
      { start: 23, end: 23, replacement: ',"latest"' },
      { start: 2, end: 4, replacement: '"0xc"' },
      { start: 15, end: 21, replacement: '"0x1"' },
    ];
    expect(splice(bytes, edits).toString()).toBe('[ "0xc", {"gas" : "0x1"} ,"latest"]');
    expect(splice(bytes, [])).toBe(bytes);
  });
});
