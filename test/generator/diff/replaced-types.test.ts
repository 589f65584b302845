import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf } from './support/documents.ts';

const request = (schema: unknown) => documentOf([methodOf('a', schema)]);
const response = (schema: unknown) => documentOf([methodOf('a', {}, schema)]);

async function toldOf(...documents: Parameters<typeof diffOf>): Promise<readonly string[]> {
  const { changes } = await diffOf(...documents);
  return changes.flatMap(({ kind, what }) => (/-type-/.test(kind) ? [what] : []));
}

test.each([
  ['number', 'string', 'the type changed from number to string'],
  ['integer', 'string', 'the type changed from integer to string'],
  ['string', 'integer', 'the type changed from string to integer'],
  [['boolean', 'number'], 'string', 'the type changed from boolean or number to string'],
  ['string', ['string', 'array'], 'another type of values is allowed: array'],
])('a type that becomes another is told as a change: %j to %j', async (old, fresh, what) => {
  const told = await toldOf(response({ type: old }), response({ type: fresh }));
  expect(new Set(told)).toEqual(new Set([what]));
});

test('of a parameter too', async () => {
  const told = await toldOf(request({ type: 'integer' }), request({ type: 'string' }));
  expect(new Set(told)).toEqual(new Set(['the type changed from integer to string']));
});
