import { describe, expect, test } from 'vitest';
import type { LintConfig } from '../../../generator/lint/schema.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { lint } from './lint.ts';

describe('overrides', () => {
  const document = documentOf(
    ['eth_a', 'debug_b'].map((name) => methodOf(name, { $ref: '#/components/schemas/Id' })),
    { components: { schemas: { Id: { type: 'string', minimum: 1 } } } },
  );
  const levelsOf = async (rule: string, config: LintConfig) =>
    (await lint(document, config))
      .filter(({ code }) => code === rule)
      .map(({ severity, pointer }) => `${severity} ${pointer}`)
      .toSorted();

  test('set the level of a rule for methods and places', async () => {
    const rules = { 'method-summary': 'warning' } as const;
    const overrides = [
      { at: 'debug_*', rules: { 'method-summary': 'off' } },
      { at: '/components', rules: { 'keyword-without-effect': 'info' } },
    ] as const;
    expect(await levelsOf('method-summary', { rules, overrides })).toEqual(['warning /methods/0']);
    expect(await levelsOf('keyword-without-effect', { overrides })).toEqual([
      'info /components/schemas/Id/minimum',
    ]);
  });

  test('enable a rule that is off elsewhere', async () => {
    const rules = { 'method-summary': 'off' } as const;
    const overrides = [{ at: 'eth_a', rules: { 'method-summary': 'error' } }] as const;
    expect(await levelsOf('method-summary', { rules, overrides })).toEqual(['error /methods/0']);
  });

  test('set options of a rule', async () => {
    const rules = { 'method-name-pattern': ['warning', { pattern: '^eth_' }] } as const;
    const debug = { 'method-name-pattern': ['error', { pattern: '^debug_' }] } as const;
    const names = (config: LintConfig) => levelsOf('method-name-pattern', config);
    expect(await names({ rules })).toEqual(['warning /methods/1']);
    expect(await names({ rules, overrides: [{ at: 'debug_*', rules: debug }] })).toEqual([]);
    expect(await names({ rules, overrides: [{ at: 'eth_*', rules: debug }] })).toEqual([
      'error /methods/0',
      'warning /methods/1',
    ]);
  });

  test('leave an entry of x-lint-ignore unused where they switch its rule off', async () => {
    const ignore = { 'x-lint-ignore': [{ rule: 'method-summary', reason: 'known' }] };
    const ignored = documentOf([{ ...methodOf('a', {}), ...ignore }]);
    const overrides = [{ at: 'a', rules: { 'method-summary': 'off' } }] as const;
    const codes = async (config: LintConfig) =>
      (await lint(ignored, config)).map(({ code }) => code);
    const rules = { 'method-summary': 'warning' } as const;
    expect(await codes({ rules })).not.toContain('suppression-unused');
    expect(await codes({ rules, overrides })).toContain('suppression-unused');
  });
});
