import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { openFolds } from './site-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown[]; readonly failureSummary?: string }[];
}

export interface Look {
  /** Only the rules about colors, sizes and scrolling, which depend on theme and width. */
  readonly onlyAppearance?: boolean;
  /** A selector; the whole page when absent. */
  readonly within?: string;
}

const APPEARANCE = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
];

/** What axe-core finds against a page by all rules it has on, and that of WCAG 2.2 about sizes: rule, place and what is to be done. */
export async function findViolations(
  page: Page,
  { onlyAppearance = false, within = 'html' }: Look = {},
): Promise<readonly string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe);
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // Nothing is loaded from elsewhere: style sheets and media need no second request.
    preload: false,
    ...(onlyAppearance ? { runOnly: APPEARANCE } : {}),
    // Of WCAG 2.2, and off by default.
    rules: { 'target-size': { enabled: true } },
  });
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary = '' }) => {
      return `${id} at ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
    }),
  );
}

/** More neighbours alike in element and classes than this are the work of one loop of a template. */
const MAX_ALIKE = 2;

/** Takes away the rows, entries and words of code behind the first of their kind: a look at them all takes seconds. */
async function removeRepeated(page: Page): Promise<void> {
  await page.evaluate(`for (const place of document.querySelectorAll('main *')) {
    let alike = 0;
    for (let other = place.previousElementSibling; other; other = other.previousElementSibling) {
      if (other.tagName === place.tagName && other.className === place.className) alike += 1;
    }
    if (alike >= ${MAX_ALIKE}) place.remove();
  }`);
}

const DESKTOP = { width: 1360, height: 900 };
const PHONE = { width: 360, height: 780 };

/**
 * What is in a reader's way on a page: by the rules of axe-core with every fold open, in light and dark, on a
 * desktop and a phone, and that it is wider than the phone. Thorough, each look is at everything.
 */
export async function findBarriers(
  page: Page,
  url: string,
  { isThorough }: { readonly isThorough: boolean },
): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (where: string, look: Look = {}): Promise<void> => {
    const violations = await findViolations(page, look);
    found.push(...violations.map((each) => `${url} ${where}: ${each}`));
  };
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(url);
  await openFolds(page);
  // Axe counts only what is visible of a button; what these cover or cut off can be scrolled into view.
  await page.evaluate(`for (const part of document.querySelectorAll('.ti-actions, .method-side')) {
    part.style.position = 'static';
    part.style.maxHeight = 'none';
  }`);
  if (!isThorough) await removeRepeated(page);
  await look('light desktop');
  await page.emulateMedia({ colorScheme: 'dark' });
  // What the dark changes is looked at on the phone as well.
  if (isThorough) await look('dark desktop', { onlyAppearance: true });
  await page.setViewportSize(PHONE);
  await look('dark phone', { onlyAppearance: !isThorough });
  if (isThorough) {
    await page.emulateMedia({ colorScheme: 'light' });
    await look('light phone', { onlyAppearance: true });
  }
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  if (width > PHONE.width) found.push(`${url} is ${width} wide on a phone`);
  return found;
}
