import { isPattern } from '../../common/json/pattern.ts';
import { nearestName } from '../../common/validators-runtime/nearest-name.js';
import { toRule, type CustomRule } from './custom-rule.ts';
import type { Preset, Rule, RuleLevel, RuleOptions } from './rule.ts';
import { rules } from './rules.ts';

/** The rules of a project: presets, severities, options. */
export interface LintConfig {
  readonly extends?: Preset;
  readonly rules?: Readonly<Record<string, RuleSetting>>;
  /** Rules of the project's own. */
  readonly custom?: readonly CustomRule[];
}

export type RuleSetting = RuleLevel | readonly [RuleLevel, RuleOptions];

/** An enabled rule with its severity and options. */
export interface ActiveRule {
  readonly rule: Rule;
  readonly level: Exclude<RuleLevel, 'off'>;
  readonly options: RuleOptions;
}

/** An invalid setting; `path` is where it is in the configuration. */
export interface SettingError {
  readonly path: readonly string[];
  readonly message: string;
  readonly fix: string;
}

/**
 * The rules that are on: the project's own, then those of the preset, as `config` changes them.
 *
 * @throws Error when a rule of the project cannot be compiled; see `findSettingErrors`
 */
export function activeRules(config: LintConfig): readonly ActiveRule[] {
  const preset = config.extends ?? 'recommended';
  // Those about x-lint-ignore come last in the table: they look at what the others made of it.
  const all = [...(config.custom ?? []).map(toRule), ...rules];
  return all.flatMap((rule) => {
    const setting = config.rules?.[rule.id] ?? rule.levels[preset];
    const [level, options] = typeof setting === 'string' ? [setting, {}] : setting;
    return level === 'off' ? [] : [{ rule, level, options: { ...rule.options, ...options } }];
  });
}

/** Rules that do not exist, and options that a rule does not have or cannot use. */
export function findSettingErrors(config: LintConfig): readonly SettingError[] {
  const { rules: settings = {}, custom = [] } = config;
  const ids = custom.map(({ id }) => id);
  const customFindings = custom.flatMap((each, index) => customErrors(each, { index, ids }));
  const ruleFindings = Object.entries(settings).flatMap(([id, setting]) => {
    if (ids.includes(id)) return [];
    const rule = rules.find((each) => each.id === id);
    if (rule === undefined) return [{ path: ['rules', id], ...unknownRule(id) }];
    const options = typeof setting === 'string' ? {} : setting[1];
    return Object.entries(options).flatMap(([name, value]) => {
      const error = optionError(rule, name, value);
      return error === null ? [] : [{ path: ['rules', id, '1', name], ...error }];
    });
  });
  return [...customFindings, ...ruleFindings];
}

function customErrors(
  custom: CustomRule,
  { index, ids }: { readonly index: number; readonly ids: readonly string[] },
): readonly SettingError[] {
  const path = ['custom', String(index)];
  const isTaken = rules.some(({ id }) => id === custom.id) || ids.indexOf(custom.id) < index;
  if (isTaken) {
    const message = `duplicate rule id "${custom.id}"`;
    return [{ path: [...path, 'id'], message, fix: 'use another id' }];
  }
  try {
    toRule(custom);
    return [];
  } catch (error) {
    const message = `a schema of "${custom.id}" cannot be used: ${(error as Error).message}`;
    return [{ path, message, fix: 'correct it (JSON Schema draft-07)' }];
  }
}

/** Returns the message for a rule that does not exist. */
export function unknownRule(id: string): { readonly message: string; readonly fix: string } {
  const nearest = nearestName(
    id,
    rules.map((each) => each.id),
  );
  const fix =
    nearest === null ? 'specgate lint --list prints all of them' : `did you mean "${nearest}"?`;
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
      fix: 'correct it (ECMAScript)',
    };
  }
  return null;
}
