import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkList } from '../../src/json/chunk-list.ts';
import { seedOfCases } from '../support/soak.ts';

const chunk = fc.nat({ max: 6_000 }).map((length) => Buffer.alloc(length, 'abcdefg'));

describe('a list of chunks', () => {
  it('keeps the bytes and their order', () => {
    const property = fc.property(fc.array(chunk), fc.nat({ max: 5 }), (chunks, removed) => {
      const list = new ChunkList();
      for (const each of chunks) list.push(each);
      const first = Array.from({ length: removed }, () => list.shift() ?? Buffer.alloc(0));
      const listed = Buffer.concat(list.list());
      const taken = list.take();
      expect(taken.equals(listed)).toBe(true);
      expect(Buffer.concat([...first, taken]).equals(Buffer.concat(chunks))).toBe(true);
      expect(list.shift()).toBeUndefined();
    });
    fc.assert(property, { seed: seedOfCases() });
  });

  it('joins small chunks, so that their number does not matter', () => {
    const list = new ChunkList();
    for (let index = 0; index < 100_000; index += 1) list.push(Buffer.from('x'));
    expect(list.list().length).toBeLessThan(30);
  });
});
