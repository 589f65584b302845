import { describe, expect, test } from 'vitest';
import { comparisonSteps, nearestName } from '../../../common/validators-runtime/nearest-name.js';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

describe('the search for the nearest name', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `member${index}`.padEnd(64, 'abc'));

  /** Returns how many of the names are compared until there are no steps left. */
  function countCompared(steps = comparisonSteps()): number {
    let compared = 0;
    const counted = function* () {
      for (const name of names) {
        compared += 1;
        yield name;
      }
    };
    nearestName('x'.repeat(64), counted(), { steps });
    return compared;
  }

  test('ends after a number of steps, however many names there are', () => {
    expect(countCompared()).toBeLessThan(100);
  });

  test('shares its steps among the errors of a value', () => {
    const steps = comparisonSteps();
    countCompared(steps);
    expect(countCompared(steps)).toBe(1);
  });

  test('compares only names of a similar length', () => {
    expect(nearestName('sise', [...names.slice(0, 1_000), 'size'])).toBe('size');
  });
});

const LONG = 'x'.repeat(100_000);
const NAMES = Array.from({ length: 5_000 }, (_, index) => `member${index}`);

describe('a message is short', () => {
  test.each([
    ['for a long constant', { const: LONG }],
    ['for long values of an enumeration', { enum: [LONG, `${LONG}y`] }],
    ['for a long pattern', { type: 'string', pattern: `^${LONG}$` }],
    ['for long words of the document', { type: 'string', 'x-expected': LONG }],
    ['for many members', { properties: Object.fromEntries(NAMES.map((name) => [name, true])) }],
    [
      'for long words about a missing member',
      { properties: { a: { 'x-expected': LONG } }, required: ['a'] },
    ],
  ])('%s', async (_, part) => {
    const schema = { additionalProperties: false, ...part };
    const { validateParams } = await validatorsOf(documentOf([methodOf('m', schema)]));
    const violations = validateParams['m']!([{ other: 1 }]);
    expect(violations.length).toBeGreaterThan(0);
    expect(JSON.stringify(violations).length).toBeLessThan(5_000);
  });

  test('for an unknown param of a method with many', async () => {
    const method = methodOf('m', true);
    const params = NAMES.map((name) => ({ name, schema: true }));
    const many = { ...method, paramStructure: 'by-name', params };
    const { validateParams } = await validatorsOf(documentOf([many]));
    expect(JSON.stringify(validateParams['m']!({ other: 1 })).length).toBeLessThan(5_000);
  });
});

test('no more params are checked after a hundred violations', async () => {
  const params = NAMES.map((name) => ({ name, required: true, schema: { type: 'string' } }));
  const { validateParams } = await validatorsOf(
    documentOf([{ ...methodOf('m', true), paramStructure: 'either', params }]),
  );
  expect(validateParams['m']!([])).toHaveLength(100);
  expect(validateParams['m']!({})).toHaveLength(100);
});
