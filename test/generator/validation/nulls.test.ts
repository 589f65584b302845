import { expect, test } from 'vitest';
import { nullRemover } from '../../../common/validators-runtime/nulls.js';

test('nulls are removed at all places of a document that overlap', () => {
  const remove = nullRemover(
    {
      members: [
        ['/0', ['a']],
        ['/0/list/*', ['a', 'b']],
        ['/0/list/1', ['c']],
        ['/0/list/*/in~1ner', ['__proto__']],
      ],
      params: [1],
    },
    ['first', 'second'],
  );
  const all = '{"a":null,"b":null,"c":null,"in/ner":{"__proto__":null,"x":null}}';
  const given = `{"a":null,"b":null,"list":[${all},${all},null]}`;
  const kept = '{"b":null,"list":[{"c":null,"in/ner":{"x":null}},{"in/ner":{"x":null}},null]}';
  const removed = (text: string): string => JSON.stringify(remove(JSON.parse(text)));
  expect(removed(`[${given},null]`)).toBe(`[${kept}]`);
  expect(removed(`{"second":null,"first":${given}}`)).toBe(`{"first":${kept}}`);
  const unchanged = [{ b: null, list: [{ x: 1 }] }, 1];
  expect(remove(unchanged)).toBe(unchanged);
});

test('a long list is read once, however many places it may hold nulls at', () => {
  const members = Array.from({ length: 1_000 }, (_, index) => [`/0/*/m${index}`, ['a']] as const);
  let reads = 0;
  const list = new Proxy(Array(1_000).fill(1), {
    get(target, name, receiver) {
      reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  nullRemover({ members, params: [] }, ['list'])([list]);
  expect(reads).toBeLessThan(10_000);
});
