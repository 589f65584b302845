import { kindGroups, kinds } from './index.ts';
import type { Fragment, Kind } from './kind.ts';
import { migrationOf } from './migrations.ts';

/** The kinds of changes as a page for readers (Markdown with front matter). */
export function renderKindsPage(): string {
  const head = [
    '---',
    'title: Kinds of changes',
    `summary: The ${kinds.length} kinds of changes that specgate diff reports, each with its levels and an example.`,
    'order: 41',
    '---',
    '',
    'Each kind has a severity for each strictness: `wire` (calls break) and `source` (generated code breaks too). It requires the given step of `info.version`; an error always requires a new major version. The examples are parts of two documents, the older one first. See [diff](diff.md).',
  ];
  return `${[...head, ...kindGroups.flatMap(renderGroup)].join('\n')}\n`;
}

function renderGroup({ title, kinds: rows }: (typeof kindGroups)[number]): readonly string[] {
  return ['', `## ${title}`, ...rows.flatMap(renderKind)];
}

function renderKind({
  id,
  title,
  levels,
  bump,
  why,
  fix,
  example,
  reverse,
}: Kind): readonly string[] {
  const asks = levels.wire === 'error' ? 'major' : bump;
  const back = reverse === null ? '' : ` The other way round: \`${reverse}\`.`;
  return [
    '',
    `### ${id}`,
    '',
    `${upperFirst(title)}. wire: **${levels.wire}**, source: **${levels.source}**, asks for: **${asks}**.`,
    '',
    `${why}${back}`,
    '',
    ...(fix === 'nothing'
      ? []
      : [
          `- The author: ${fix.replace(/^nothing: .*$/, 'nothing')}.`,
          `- Callers: ${migrationFor(id, fix)}.`,
          '',
        ]),
    '```json',
    `${fragmentText(example.old)}`,
    `${fragmentText(example.new)}`,
    '```',
  ];
}

function migrationFor(id: string, fix: string): string {
  const own = /^nothing: (?:callers )?(.*)$/.exec(fix)?.[1];
  return own ?? migrationOf(id);
}

function fragmentText(fragment: Fragment): string {
  return JSON.stringify(fragment);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
