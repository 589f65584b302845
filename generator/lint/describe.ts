import type { ReportRule } from '../report/report.ts';
import type { Options } from '../levels/levels.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';
import type { ActiveRule } from './settings.ts';

/** Describes a rule for a terminal. */
export function explainRule(rule: Rule): string {
  const { id, title, levels, protects, source, fix, bad, good, family } = rule;
  return [
    `${id}: ${title}`,
    '',
    `Why:       ${protects}`,
    `Source:    ${source.text}`,
    `           ${source.url}`,
    `Fix:       ${fix}`,
    `Levels:    ${levels.recommended} in recommended, ${levels.strict} in strict (${family})`,
    ...optionLines(rule.options),
    '',
    'Incorrect:',
    indent(bad.trim()),
    '',
    'Correct:',
    indent(good.trim()),
    '',
    'Set its level in specgate.config.yaml:',
    indent(`lint:\n  rules:\n    ${id}: ${levels.recommended === 'off' ? 'warning' : 'off'}`),
    'or suppress it for one object of the document, with a reason:',
    indent(`x-lint-ignore: [{ rule: ${id}, reason: ... }]`),
    '',
  ].join('\n');
}

/** Returns the data of a rule. */
export function toRow({ check: _check, ...row }: Rule) {
  return row;
}

function optionLines(options: Options): readonly string[] {
  return Object.entries(options).map(
    ([name, value]) => `Option:    ${name}, default ${JSON.stringify(value)}`,
  );
}

function indent(block: string): string {
  return block.replaceAll(/^(?=.)/gm, '    ');
}

/** Lists the rules with their severities and titles, in columns. */
export function listRules(): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  const row = (id: string, recommended: string, strict: string, title: string) =>
    `${id.padEnd(width)}  ${recommended.padEnd(11)}  ${strict.padEnd(7)}  ${title}`;
  const lines = rules.map(({ id, levels, title }) =>
    row(id, levels.recommended, levels.strict, title),
  );
  return [row('rule', 'recommended', 'strict', ''), ...lines, ''].join('\n');
}

/** Returns an enabled rule as reports show it. */
export function toReportRule({ rule, level }: ActiveRule): ReportRule {
  const { id, title, protects, source, fix } = rule;
  const help = `${protects}\n\nTo fix it: ${fix}.\n\nSource: ${source.text}.`;
  return {
    id,
    title,
    severity: level,
    help,
    ...(source.url === '' ? {} : { helpUri: source.url }),
  };
}
