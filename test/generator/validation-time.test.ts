import { afterEach, describe, expect, test, vi } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { makeValue } from '../../common/make-value/make-value.ts';
import { limitTime } from '../../common/validation-time.ts';
import { append, countedSteps, equal } from '../../common/validators-runtime/helpers.js';
import { atScale } from '../support/soak.ts';
import { documentOf, methodOf, modelOf } from './support/document.ts';

/** Each look at a clock seems to take a hundredth of a second. */
function slowDown(): void {
  let now_ms = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now_ms += 10));
  const name = 'threadCpuUsage' in process ? 'threadCpuUsage' : 'cpuUsage';
  let used_us = 0;
  vi.spyOn(process, name).mockImplementation(() => ({ user: (used_us += 10_000), system: 0 }));
}

afterEach(() => void vi.restoreAllMocks());

const TIMES = atScale(2_000, 1_000);
const times = (schema: object) => ({ allOf: Array.from({ length: TIMES }, () => schema) });
const text = 'a'.repeat(1_000);

describe('the validators of a mock or a proxy end when they take too long', () => {
  test.each([
    ['references', times({ $ref: '#/components/schemas/Text' }), text],
    ['elements', times({ items: { type: 'integer' } }), [1]],
    ['members', times({ additionalProperties: { type: 'integer' } }), { a: 1 }],
    ['different elements', times({ uniqueItems: true }), ['a', 'b']],
    ['numbers of members', times({ minProperties: 1 }), { a: 1 }],
    ['lengths', times({ maxLength: 5_000 }), text],
    ['formats', times({ format: 'base58' }), text],
    ['patterns', times({ pattern: '^(a+)+$' }), 'aa'],
  ])('%s', async (_, schema, value) => {
    const components = { schemas: { Text: { type: 'string' } } };
    const model = await modelOf(documentOf([methodOf('m', schema, schema)], { components }));
    const { validateParams, validateResult } = describeService(model).methods.find(
      ({ name }) => name === 'm',
    )!;
    expect(validateParams([value])).toEqual([]);
    expect(validateResult!(value)).toEqual([]);
    slowDown();
    expect(validateParams([value])).toMatchObject([{ keyword: 'complexity' }]);
    expect(validateResult!(value)).toMatchObject([{ keyword: 'complexity' }]);
  });
});

test('values are made within the time that their validations have', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { minLength: 3 }]),
  );
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const make = () => limitTime(() => makeValue(schema, { validate: () => [] }, ['seed']));
  expect(make()).toHaveProperty('value');
  slowDown();
  expect(make()).toEqual({ problem: 'it takes too much time' });
});

test('errors that are copied from one schema to the next are counted', () => {
  const errors = Array.from({ length: 100 }, () => ({
    instancePath: '',
    schemaPath: '',
    keyword: '',
    params: {},
  }));
  const before = countedSteps();
  append([...errors], errors);
  expect(countedSteps() - before).toBe(100);
});

test('all members of an object are counted, even if the first is refused', async () => {
  const closed = { type: 'object', additionalProperties: false };
  const model = await modelOf(documentOf([methodOf('m', true, closed)]));
  const { validateResult } = describeService(model).methods.find(({ name }) => name === 'm')!;
  const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, 1]));
  const before = countedSteps();
  expect(validateResult!(members)).not.toEqual([]);
  expect(countedSteps() - before).toBeGreaterThan(10_000);
});

test('a constant is read once for all values that are compared with it', () => {
  let reads = 0;
  const constant = new Proxy(
    { b: 1, a: [2] },
    {
      ownKeys(target) {
        reads += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  expect(equal(constant, { a: [2], b: 1 })).toBe(true);
  const first = reads;
  expect(equal(constant, { a: [2], b: 2 })).toBe(false);
  expect(equal(constant, 1)).toBe(false);
  expect(reads).toBe(first);
});
