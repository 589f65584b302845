import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

/** The reference page of the rules, CommonMark with front matter. */
export function renderRulesPage(): string {
  const families = [...new Set(rules.map(({ family }) => family))];
  return [
    '---',
    'title: Lint rules',
    `summary: The ${rules.length} rules of specgate lint, each with its reason, its source, an example and the fix.`,
    'order: 31',
    '---',
    '',
    '`specgate lint --list` prints all rules, and `specgate lint --explain RULE` describes one. Examples are parts of documents: `openrpc`, `info` and empty `params` are left out.',
    '',
    ...families.flatMap((family) => {
      const own = rules.filter((rule) => rule.family === family);
      return [`## ${family}`, '', ...table(own), '', ...own.flatMap(section)];
    }),
  ].join('\n');
}

function table(own: readonly Rule[]): readonly string[] {
  return [
    '| Rule | Requires that | recommended | strict |',
    '| --- | --- | --- | --- |',
    ...own.map(
      ({ id, title, levels }) =>
        `| [\`${id}\`](#${id}) | ${cell(title)} | ${levels.recommended} | ${levels.strict} |`,
    ),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function section(rule: Rule): readonly string[] {
  const { id, title, protects, source, fix, options, bad, good } = rule;
  const named = Object.entries(options).map(
    ([name, value]) => `\`${name}\`, otherwise \`${JSON.stringify(value)}\``,
  );
  return [
    `### ${id}`,
    '',
    `**${title}.** ${protects}`,
    '',
    `Source: [${source.text.replaceAll(/[[\]]/g, '\\$&')}](${source.url}).`,
    '',
    ...(named.length === 0 ? [] : [`Options: ${named.join('; ')}.`, '']),
    'Incorrect:',
    '',
    ...code(bad),
    `To fix it, ${fix}:`,
    '',
    ...code(good),
  ];
}

function code(fragment: string): readonly string[] {
  return ['````yaml', fragment.trim(), '````', ''];
}
