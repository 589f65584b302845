import { expect, test } from 'vitest';
import { createAjv } from '../../../generator/violations/create-ajv.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

test.each(['items', 'contains'])('very many lists have bounded errors: %s', (keyword) => {
  const schema = { allOf: Array.from({ length: 1_000 }, () => ({ [keyword]: { type: 'null' } })) };
  const validate = createAjv([{ id: 's', schema }]).getSchema('s')!;
  expect(validate(Array.from({ length: 99 }, () => 0))).toBe(false);
  expect(validate.errors!.length).toBeGreaterThanOrEqual(1_000);
  expect(validate.errors!.length).toBeLessThanOrEqual(11_100);
});

test('"contains" reports itself, and not the errors of elements', async () => {
  const components = { schemas: { Text: { type: 'string' } } };
  const text = { $ref: '#/components/schemas/Text' };
  const schema = { allOf: [{ contains: text }, { contains: { const: 0 } }] };
  const document = documentOf([methodOf('m', schema)], { components });
  const { validateParams } = await validatorsOf(document);
  const violations = validateParams['m']!([[0, 1, 2]]);
  expect(violations.map(({ keyword, pointer }) => [keyword, pointer])).toEqual([
    ['contains', '/0'],
  ]);
});
