import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatFiles } from '../../../generator/format/format.ts';
import { renderRulesPage } from '../../../generator/lint/page.ts';
import { rules } from '../../../generator/lint/rules.ts';

const page = readFileSync(
  new URL('../../../docs-site/content/toolchain/lint-rules.md', import.meta.url),
  'utf8',
);

test('the page of the rules is what their table says (node scripts/lint-rules.ts)', async () => {
  const formatted = await formatFiles(new Map([['lint-rules.md', renderRulesPage()]]));
  expect(page).toBe(formatted.get('lint-rules.md'));
});

test.each(rules.map(({ id }) => id))('%s has a section, and its row leads to it', (id) => {
  expect(page).toContain(`\n### ${id}\n`);
  expect(page).toContain(`](#${id})`);
});
