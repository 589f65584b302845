import { expect, test } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { referenceDocument } from '../../generator/targets/server/reference-document.js';
import { documentOf, methodOf, modelOf } from '../generator/support/document.ts';

const COUNT = 300;

const names = Array.from({ length: COUNT }, (_, index) => `p${index}`);
const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
const $ref = '#/components/schemas/Wide';

/** Many methods that refer to one large component, by their own schemas and by content descriptors. */
const document = documentOf(
  names.map((name, index) =>
    index % 2 === 0
      ? methodOf(name, {}, { $ref })
      : { ...methodOf(name, {}), result: { $ref: '#/components/contentDescriptors/wide' } },
  ),
  {
    components: {
      schemas: { Wide: { type: 'object', properties } },
      contentDescriptors: { wide: { name: 'wide', schema: { type: 'array', items: { $ref } } } },
    },
  },
);

/** Returns the number of distinct objects and arrays within a value. */
function countObjects(root: unknown): number {
  const seen = new Set<unknown>();
  const ahead = [root];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    ahead.push(...Object.values(next));
  }
  return seen.size;
}

test.each([
  ['a mock', async () => describeService(await modelOf(document))],
  ['a reference server', async () => referenceDocument(document)],
])('the methods of %s share the component schemas they refer to', async (_, describe) => {
  const described = await describe();
  expect(countObjects(described)).toBeGreaterThan(COUNT);
  expect(countObjects(described)).toBeLessThan(20 * COUNT);
});
