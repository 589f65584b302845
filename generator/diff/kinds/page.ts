import { kindGroups, kinds } from './index.ts';
import type { Kind } from './kind.ts';

/** The kinds of changes as a page for readers (Markdown with front matter). */
export function renderKindsPage(): string {
  const groups = kindGroups.flatMap(({ title, kinds: rows }) => [
    '',
    `## ${title}`,
    ...rows.flatMap(renderKind),
  ]);
  const head = [
    '---',
    'title: Kinds of changes',
    `summary: The ${kinds.length} kinds of changes that specgate diff reports, each with its levels and an example.`,
    'order: 41',
    '---',
    '',
    'Each kind has a severity for each strictness: `wire` (calls break) and `source` (generated code breaks too). The change requires at least the new version of `info.version` that is shown; an error always requires a new major version. The examples are parts of two documents, the older one first. See [diff](diff.md).',
  ];
  return `${[...head, ...groups].join('\n')}\n`;
}

function renderKind(kind: Kind): readonly string[] {
  const { id, title, levels, bump, why, fix, migration, example, reverse } = kind;
  const asks = levels.wire === 'error' ? 'major' : bump;
  const back = reverse === null ? '' : ` The reverse: \`${reverse}\`.`;
  return [
    '',
    `### ${id}`,
    '',
    `${title.charAt(0).toUpperCase()}${title.slice(1)}. wire: **${levels.wire}**, source: **${levels.source}**, requires: **${asks}**.`,
    '',
    `${why}${back}`,
    '',
    ...(fix === 'nothing'
      ? []
      : [
          `- The author: ${fix.replace(/^nothing: .*$/, 'nothing')}.`,
          `- Callers: ${/^nothing: (?:callers )?(.*)$/.exec(fix)?.[1] ?? migration}.`,
          '',
        ]),
    '```json',
    JSON.stringify(example.old),
    JSON.stringify(example.new),
    '```',
  ];
}
