import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { document, resolvePointer } from '../support/document.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs-site/content/traceability.md', root), 'utf8');

interface Row {
  readonly statement: string;
  readonly pointers: readonly string[];
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const rows: Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes(' › '))
  .map((line) => {
    const [statement, where, held] = cells(line) as [string, string, string];
    return {
      statement,
      pointers: where.split('<br>').map((pointer) => pointer.replaceAll('`', '').trim()),
      tests: held.split('<br>').map((one) => {
        const [file, name] = one.split(' › ') as [string, string];
        return { file: file.replaceAll('`', '').trim(), name: name.trim() };
      }),
    };
  });

describe('the traceability page', () => {
  test('has a row for every part of the interface', () => {
    expect(rows.length).toBeGreaterThan(120);
    const lines = page
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Statement|-)/.test(line));
    expect(rows).toHaveLength(lines.length);
  });

  test('names only places the document has', () => {
    const lost = rows.flatMap(({ statement, pointers }) =>
      pointers
        .filter(
          (pointer) => !pointer.startsWith('/') || resolvePointer(document, pointer) === undefined,
        )
        .map((pointer) => `${pointer} (${statement})`),
    );
    expect(lost).toEqual([]);
  });

  test('names only tests that exist', () => {
    const lost = rows.flatMap(({ tests }) =>
      tests.filter(({ file, name }) => {
        const path = new URL(file, root);
        if (!existsSync(path)) return true;
        const source = readFileSync(path, 'utf8');
        return !["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`));
      }),
    );
    expect([...new Set(lost.map(({ file, name }) => `${file} › ${name}`))]).toEqual([]);
  });
});
