import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Json } from '../../common/json/value.ts';
import { makeValue } from '../../common/make-value/make-value.ts';
import { createCheck } from '../../generator/violations/create-ajv.ts';
import { forgetPatterns } from '../../generator/violations/linear-pattern.ts';

const all = (length: number, branch: (index: number) => object): readonly object[] =>
  Array.from({ length }, (_, index) => branch(index));

/** Schemas without a valid value, whose values take long to validate. */
const schemas = {
  'wide schemas': {
    minItems: 1_900,
    items: { type: 'integer', not: { anyOf: all(480, (index) => ({ minimum: 1e9 + index })) } },
  },
  'patterns that RE2 runs': {
    minItems: 400,
    items: {
      type: 'string',
      not: { anyOf: all(200, (index) => ({ pattern: `(x|y|${index})*[ab]{5}z$` })) },
    },
  },
};

beforeEach(() => forgetPatterns());
afterEach(() => forgetPatterns());

it.each(Object.entries(schemas))(
  'makes few attempts for a value that takes long to validate: %s',
  (_, schema) => {
    const whole = { type: 'array', contains: { const: 'none' }, ...schema };
    const check = createCheck([{ id: 'a', schema: whole as Json as never }], 'a', {
      maxFindings: 1,
    });
    let attempts = 0;
    const validate = (value: unknown) => {
      attempts += 1;
      return check(value as Json).map(({ path }) => ({ pointer: path }));
    };
    expect(makeValue(whole, { validate }, ['seed'])).toEqual({ problem: null });
    expect(attempts).toBeGreaterThan(0);
    expect(attempts).toBeLessThan(5);
  },
);

it('makes an object without optional members if a schema has very many', () => {
  const names = all(20_000, (index) => [`k${index}`, { type: 'string' }] as const);
  const schema = { type: 'object', properties: Object.fromEntries(names as [string, object][]) };
  expect(makeValue(schema, { validate: () => [] }, ['seed'])).toEqual({ value: {} });
});

it('does not read more required members than a value may have', () => {
  let reads = 0;
  const required = new Proxy(
    Array.from({ length: 20_000 }, (_, index) => `k${index}`),
    {
      get(target, key) {
        reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    },
  );
  const made = makeValue({ type: 'object', required }, { validate: () => [] }, ['seed']);
  expect(made).toEqual({ problem: 'the value is too large' });
  expect(reads).toBeLessThan(20_000);
});
