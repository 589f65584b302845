import { expect, test } from 'vitest';
import type { Json } from '../../common/json/value.ts';
import { createCheck } from '../../generator/violations/create-ajv.ts';

const objects = Array.from({ length: 20 }, (_, last) => ({
  ...Object.fromEntries(Array.from({ length: 100 }, (__, index) => [`k${index}`, index])),
  last,
}));

test.each([
  ['an enumeration', { enum: objects }],
  ['constants', { anyOf: objects.map((each) => ({ const: each })) }],
])('the objects of %s are not compared once for each branch', (_, schema) => {
  const oneOf = Array.from({ length: 300 }, () => ({ $ref: 'allowed' }));
  const schemas = [
    { id: 'allowed', schema },
    { id: 'all', schema: { oneOf } },
  ];
  const check = createCheck(schemas, 'all', { maxFindings: 1 });
  let reads = 0;
  const get = (target: object, key: string): unknown => {
    reads += 1;
    return Reflect.get(target, key);
  };
  const value = new Proxy({ ...objects[0]!, last: -1 }, { get });
  expect(check(value as Json)).toHaveLength(1);
  expect(reads).toBeLessThan(10_000);
  const [allowed] = objects;
  const { length } = createCheck(schemas.slice(0, 1), 'allowed', { maxFindings: 1 })({
    last: allowed!.last,
    ...allowed,
  });
  expect(length).toBe(0);
});
