import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown[]; readonly failureSummary?: string }[];
}

/** What axe-core finds against a page, every rule on: rule, place and what is to be done. */
export async function findViolations(
  page: Page,
  { onlyColours = false } = {},
): Promise<readonly string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe);
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(onlyColours ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}),
  });
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary = '' }) => {
      return `${id} at ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
    }),
  );
}
