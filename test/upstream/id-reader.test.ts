import { expect, it } from 'vitest';
import { IdReader } from '../../src/upstream/socket/id-reader.ts';

it('reserves memory for the levels that a message has, not for those that it may have', () => {
  const before_bytes = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 10_000 }, () => new IdReader());
  const taken_bytes = process.memoryUsage().arrayBuffers - before_bytes;
  expect(taken_bytes / readers.length).toBeLessThan(1_000);
});

it('reads an id behind as many levels as allowed', () => {
  const nested = (levels: number): Buffer =>
    Buffer.from(`{"result":${'['.repeat(levels)}${']'.repeat(levels)},"id":7}`);
  const idBehind = (levels: number): string | undefined => {
    const reader = new IdReader(1_000);
    reader.feed(nested(levels));
    return reader.id;
  };
  expect([31, 32, 33, 999].map(idBehind)).toEqual(['7', '7', '7', '7']);
  expect(idBehind(1_000)).toBeUndefined();
});
