import { expect, test } from 'vitest';
import { kinds } from '../../../generator/diff/kinds/index.ts';
import { renderKindsPage } from '../../../generator/diff/kinds/page.ts';

test('every kind of change has a section of its own on the reference page', () => {
  const headings = new Set(
    renderKindsPage()
      .split('\n')
      .filter((line) => line.startsWith('### ')),
  );
  expect(kinds.filter(({ id }) => !headings.has(`### ${id}`))).toEqual([]);
});
