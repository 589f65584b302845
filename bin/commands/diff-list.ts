import { kindGroups, kinds } from '../../generator/diff/kinds/index.ts';
import { renderKindsPage } from '../../generator/diff/kinds/page.ts';

/** The kinds of changes: a table; every word of them as JSON; or a page for readers as Markdown. */
export function listKinds(format: string): string {
  if (format === 'json') return `${JSON.stringify(kinds, null, 2)}\n`;
  if (format === 'markdown') return renderKindsPage();
  const width = Math.max(...kinds.map(({ id }) => id.length));
  const groups = kindGroups.map(({ title, kinds: rows }) =>
    [
      `${title}`,
      ...rows.map(
        ({ id, levels, bump, title: what }) =>
          `  ${id.padEnd(width)}  ${levels.wire.padEnd(7)}  ${levels.source.padEnd(7)}  ${bump.padEnd(5)}  ${what}`,
      ),
    ].join('\n'),
  );
  const head = `  ${'kind'.padEnd(width)}  wire     source   bump   what it means`;
  return `${head}\n${groups.join('\n')}\n${kinds.length} kinds of changes\n`;
}
