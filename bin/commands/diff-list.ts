import { kindGroups, kinds } from '../../generator/diff/kinds/index.ts';

/** The kinds of changes: a table, or with "json" every word of them. */
export function listKinds(format: string): string {
  if (format === 'json') return `${JSON.stringify(kinds, null, 2)}\n`;
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
