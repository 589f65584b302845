import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn } from './support/documents.ts';

/** A chain of schemas, each of which refers twice to the next: the last is reached in 2^40 ways. */
function chain(last: object) {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
  const nested = Array.from({ length: 40 }, (_, index) => [
    `S${index}`,
    { allOf: [ref(index + 1), ref(index + 1)] },
  ]);
  const schemas = Object.fromEntries([...nested, ['S40', last]]);
  return documentOf([methodOf('m', ref(0))], { components: { schemas } });
}

test('a component that is reached in many ways is compared in bounded time', async () => {
  const leaf = (type: string) => ({ type: 'object', properties: { a: { type } } });
  const found = kindsIn(await diffOf(chain(leaf('string')), chain(leaf('integer'))));
  expect(found.some((kind) => kind.startsWith('request-'))).toBe(true);
});
