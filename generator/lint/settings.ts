import type { Severity } from '../../common/diagnostic.ts';
import { isPattern } from '../../common/json/pattern.ts';
import { toRule } from './custom-rule.ts';
import { levelsOf, type RuleLevels, type Settings } from '../levels/levels.ts';
import { didYouMean, type Rule } from './rule.ts';
import type { CustomRule, LintConfig } from './schema.ts';
import { rules } from './rules.ts';

/** An enabled rule. */
export interface ActiveRule {
  readonly rule: Rule;
  /** The severity where no override applies, or that of an override if only overrides enable it. */
  readonly level: Severity;
  /** What applies at each place. */
  readonly levels: RuleLevels;
}

/** An invalid setting; `path` is where it is in the section. */
export interface SettingError {
  readonly path: readonly string[];
  readonly message: string;
  readonly fix: string;
}

/**
 * Returns the enabled rules: those of the project, then those of the preset as changed by `config`.
 *
 * @throws Error when a rule of the project cannot be compiled; see `findSettingErrors`
 */
export function activeRules(config: LintConfig): readonly ActiveRule[] {
  const preset = config.extends ?? 'recommended';
  // The rules about x-lint-ignore have to run last: they check which entries were used.
  const all = [...(config.custom ?? []).map(toRule), ...rules];
  return all.flatMap((rule) => {
    const base = { level: rule.levels[preset], options: rule.options };
    const levels = levelsOf(rule.id, base, config);
    const level = levels.all.map((each) => each.level).find((each) => each !== 'off');
    return level === undefined ? [] : [{ rule, level, levels }];
  });
}

/**
 * Finds unknown rules, unknown options and invalid values of options in the section of one file, which
 * may name the rules of `inherited`.
 */
export function findSettingErrors(
  config: LintConfig,
  inherited: readonly CustomRule[] = [],
): readonly SettingError[] {
  const { rules: settings = {}, overrides = [], custom = [] } = config;
  const ids = custom.map(({ id }) => id);
  const known = new Set([...ids, ...inherited.map(({ id }) => id)]);
  return [
    ...custom.flatMap((each, index) => customErrors(each, { index, ids })),
    ...ruleErrors(settings, known, ['rules']),
    ...overrides.flatMap((override, index) =>
      ruleErrors(override.rules, known, ['overrides', String(index), 'rules']),
    ),
  ];
}

function ruleErrors(
  settings: Settings,
  custom: ReadonlySet<string>,
  path: readonly string[],
): readonly SettingError[] {
  return Object.entries(settings).flatMap(([id, setting]) => {
    if (custom.has(id)) return [];
    const rule = rules.find((each) => each.id === id);
    if (rule === undefined) return [{ path: [...path, id], ...unknownRule(id) }];
    const options = typeof setting === 'string' ? {} : setting[1];
    return Object.entries(options).flatMap(([name, value]) => {
      const error = optionError(rule, name, value);
      return error === null ? [] : [{ path: [...path, id, '1', name], ...error }];
    });
  });
}

function customErrors(
  custom: CustomRule,
  { index, ids }: { readonly index: number; readonly ids: readonly string[] },
): readonly SettingError[] {
  const path = ['custom', String(index)];
  const isTaken = rules.some(({ id }) => id === custom.id) || ids.indexOf(custom.id) < index;
  if (isTaken) {
    const message = `duplicate rule id "${custom.id}"`;
    return [{ path: [...path, 'id'], message, fix: 'use a different id' }];
  }
  try {
    toRule(custom);
    return [];
  } catch (error) {
    const message = `a schema of "${custom.id}" cannot be used: ${(error as Error).message}`;
    return [{ path, message, fix: 'correct it; it must be JSON Schema draft-07' }];
  }
}

/** Returns the message for a rule that does not exist. */
export function unknownRule(id: string) {
  const { fix = 'specgate lint --list prints all of them' } = didYouMean(
    id,
    rules.map((rule) => rule.id),
  );
  return { message: `unknown rule "${id}"`, fix };
}

function optionError(rule: Rule, name: string, value: unknown) {
  const own = rule.options[name];
  const names = Object.keys(rule.options);
  if (own === undefined) {
    const fix = names.length === 0 ? 'it has no options' : `it has ${names.join(', ')}`;
    return { message: `"${rule.id}" has no option "${name}"`, fix };
  }
  const kind = Array.isArray(own) ? 'a list of strings' : `a ${typeof own}`;
  const isKind = Array.isArray(own)
    ? Array.isArray(value) && value.every((each) => typeof each === 'string')
    : typeof value === typeof own;
  if (!isKind)
    return {
      message: `option "${name}" of "${rule.id}": expected ${kind}`,
      fix: `make it ${kind}`,
    };
  if (name === 'pattern' && !isPattern(value as string)) {
    return {
      message: `"${String(value)}" is not a regular expression`,
      fix: 'use ECMAScript syntax',
    };
  }
  return null;
}
