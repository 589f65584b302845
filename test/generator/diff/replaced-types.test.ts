import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf } from './support/documents.ts';

const request = (schema: unknown) => documentOf([methodOf('a', schema)]);
const response = (schema: unknown) => documentOf([methodOf('a', {}, schema)]);

async function typeChangesOf(...documents: Parameters<typeof diffOf>): Promise<readonly string[]> {
  const { changes } = await diffOf(...documents);
  return changes.flatMap(({ kind, what }) => (/-type-/.test(kind) ? [what] : []));
}

test.each([
  ['number', 'string', 'the type changed from number to string'],
  ['integer', 'string', 'the type changed from integer to string'],
  ['string', 'integer', 'the type changed from string to integer'],
  [['boolean', 'number'], 'string', 'the type changed from boolean or number to string'],
  ['string', ['string', 'array'], 'an additional type is allowed: array'],
])('a replaced type is reported as one change: %j to %j', async (old, fresh, what) => {
  const changes = await typeChangesOf(response({ type: old }), response({ type: fresh }));
  expect(new Set(changes)).toEqual(new Set([what]));
});

test('a replaced type of a parameter is reported as one change', async () => {
  const changes = await typeChangesOf(request({ type: 'integer' }), request({ type: 'string' }));
  expect(new Set(changes)).toEqual(new Set(['the type changed from integer to string']));
});
