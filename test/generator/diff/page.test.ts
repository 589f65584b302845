import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kinds } from '../../../generator/diff/kinds/index.ts';
import { renderKindsPage } from '../../../generator/diff/kinds/page.ts';

const page = readFileSync('docs-site/content/toolchain/diff-changes.md', 'utf8');

test('the page of the kinds is what the table gives (specgate diff --list --format markdown)', () => {
  expect(page).toBe(renderKindsPage());
});

test('every kind has a place of its own on the page', () => {
  const headings = new Set(page.split('\n').filter((line) => line.startsWith('### ')));
  expect(kinds.filter(({ id }) => !headings.has(`### ${id}`))).toEqual([]);
});
