import { describe, expect, test } from 'vitest';
import { rules } from '../../../generator/lint/rules.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { findViolations } from '../../../generator/validation/conformance.ts';
import { complete, lintBy } from './lint.ts';

describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test('reports its bad example', async () => {
    expect(await lintBy(id, complete(rule.bad))).not.toEqual([]);
  });

  test('accepts its good example', async () => {
    expect(await lintBy(id, complete(rule.good))).toEqual([]);
  });

  test('shows parts of valid documents', async () => {
    for (const fragment of [rule.bad, rule.good]) {
      const document = complete(fragment) as JsonObject;
      const found = await findViolations(document);
      expect(found.map(({ message }) => message)).toEqual([]);
    }
  });

  test('has a reason, a source and a fix', () => {
    expect(URL.canParse(rule.source.url), rule.source.url).toBe(true);
    for (const text of [rule.title, rule.protects, rule.source.text, rule.fix]) {
      expect(text.trim()).toBe(text);
      expect(text.length).toBeGreaterThan(10);
    }
    expect(rule.title, 'no sentence ends within a list').not.toMatch(/\.$/);
    expect(rule.bad).not.toBe(rule.good);
  });

  test('is on in strict, and no stricter in recommended', () => {
    const order = ['off', 'info', 'warning', 'error'];
    const { recommended, strict } = rule.levels;
    expect(strict).not.toBe('off');
    expect(order.indexOf(recommended)).toBeLessThanOrEqual(order.indexOf(strict));
  });
});

test('rule ids are unique', () => {
  const ids = rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('there are more than 40 rules', () => {
  expect(rules.length).toBeGreaterThan(40);
});
