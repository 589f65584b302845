import { expect, test } from 'vitest';
import { renderRulesPage } from '../../../generator/lint/page.ts';
import { rules } from '../../../generator/lint/rules.ts';

const page = renderRulesPage();

test.each(rules.map(({ id }) => id))('%s has a section, and its row links to it', (id) => {
  expect(page).toContain(`\n### ${id}\n`);
  expect(page).toContain(`](#${id})`);
});
