import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

describe('a union of schemas that contain themselves', () => {
  const branch = (op: string) => ({
    type: 'object',
    required: ['left', 'op'],
    properties: { left: { $ref: '#/components/schemas/Tree' }, op: { const: op } },
  });
  const tree = (depth: number): unknown =>
    Array.from({ length: depth }).reduce<unknown>((left) => ({ left, op: '-' }), 1);
  // Each level of a value doubles the work.
  const document = documentOf([methodOf('m', { $ref: '#/components/schemas/Tree' })], {
    components: { schemas: { Tree: { oneOf: [branch('+'), branch('-'), { type: 'number' }] } } },
  });

  test('validates a value of moderate depth', async () => {
    const { validateParams } = await validatorsOf(document);
    expect(validateParams['m']!([tree(12)])).toEqual([]);
  });

  test('rejects a value that would take too many steps', async () => {
    const { validateParams } = await validatorsOf(document);
    expect(validateParams['m']!([tree(60)])).toMatchObject([
      {
        keyword: 'complexity',
        message: 'value: expected a value that takes fewer steps to validate, got an object',
      },
    ]);
    expect(validateParams['m']!([1])).toEqual([]);
  });

  test('validates many small values in one list', async () => {
    const { validateParams } = await validatorsOf(
      documentOf([methodOf('m', { items: { $ref: '#/components/schemas/Tree' } })], {
        components: document.components,
      }),
    );
    const values = Array.from({ length: 100_000 }, () => tree(3));
    expect(validateParams['m']!([values])).toEqual([]);
  });
});
