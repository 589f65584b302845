import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseExact } from '../../common/json/exact.ts';
import { document, resolvePointer } from '../support/document.ts';
import { changeOf, mutate, mutations, page, root, rows } from '../support/traceability.ts';

const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

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
      tests.filter(({ file, title }) => {
        if (!existsSync(new URL(file, root))) return true;
        const source = textOf(file);
        return !["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
      }),
    );
    expect([...new Set(lost.map(({ file, title }) => `${file} › ${title}`))]).toEqual([]);
  });
});

// `npm run test:soak` applies them, in test/document/mutations.test.ts.
describe('the table of mutations', () => {
  test('has one for each test that a row cites', () => {
    const unproven = rows.flatMap(({ statement, tests }) =>
      tests
        .filter(
          (cited) =>
            !mutations.some(
              (mutation) =>
                mutation.rows.some((row) => row.statement === statement) &&
                mutation.tests.includes(cited),
            ),
        )
        .map(({ title }) => `${statement} › ${title}`),
    );
    expect(unproven).toEqual([]);
  });

  test('names one statement, and tests that it cites, for each mutation', () => {
    const wrong = mutations.filter(
      ({ rows: broken, tests, by = '' }) =>
        broken.length !== 1 || tests.length < [by].flat().length,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('reports by its name a mutation whose text is gone or not unique', () => {
    const ofFile = mutations.find(({ file }) => file !== undefined)!;
    for (const text of ['', `${String(ofFile.from)} ${String(ofFile.from)}`])
      expect(() => mutate(text, ofFile)).toThrow(ofFile.name);
    const ofDocument = mutations.find(({ at }) => at !== undefined)!;
    expect(() => mutate('{}', ofDocument)).toThrow(ofDocument.name);
  });

  test('changes what occurs exactly once', () => {
    const parsed = parseExact(textOf('openrpc.json'));
    const stale = mutations.flatMap((mutation) => {
      try {
        if (mutation.at !== undefined) changeOf(parsed, mutation);
        else mutate(textOf(mutation.file), mutation);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
    expect(stale).toEqual([]);
  });
});
