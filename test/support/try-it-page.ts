/** The console of a method's page in a real browser. */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Json } from './document.ts';

/** How long an action of the page may take on a busy machine. */
const WAIT_MS = 15_000;

export interface TryItOptions {
  /** Address of the site, with a slash at its end. */
  readonly site: string;
  readonly method: string;
  /** Behind "#"; nothing when absent. */
  readonly fragment?: string;
  /** A page that is open already; a new one when absent. */
  readonly page?: Page;
}

export interface TryItPage {
  readonly page: Page;
  /** The console. */
  readonly root: Locator;
  button(name: string): Locator;
  /** The badges of the answer, once there is one. */
  send(): Promise<string>;
  chooseTransport(transport: 'HTTP' | 'WebSocket'): Promise<void>;
  chooseExample(name: string): Promise<void>;
  /** The params as the JSON editor has them. */
  params(): Promise<Json>;
  /** The answer as text. */
  raw(): Promise<string>;
}

/** Opens a method's page and waits for its console. */
export async function openTryIt(
  context: BrowserContext,
  { site, method, fragment = '', page: open }: TryItOptions,
): Promise<TryItPage> {
  const page = open ?? (await context.newPage());
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(`${site}methods/${method}.html${fragment === '' ? '' : `#${fragment}`}`);
  const root = page.locator('#try-it');
  await root.scrollIntoViewIfNeeded();
  const button = (name: string): Locator => root.getByRole('button', { name, exact: true });
  await button('Send').waitFor();
  const answer = root.locator('.ti-answer');
  return {
    page,
    root,
    button,
    send: async () => {
      // The answer of an earlier call must be gone.
      await answer.evaluate(empty);
      await button('Send').click();
      await answer.locator(':scope > *').first().waitFor();
      return answer.innerText();
    },
    chooseTransport: async (transport) => {
      await root.getByRole('radio', { name: transport }).check({ force: true });
    },
    chooseExample: async (name) => {
      await root.getByLabel('Example', { exact: true }).selectOption(name);
    },
    params: async () => {
      const text = await root.getByLabel('Params as JSON').inputValue();
      return JSON.parse(text) as Json;
    },
    raw: async () => {
      await root.getByRole('tab', { name: 'Raw' }).click();
      return root.getByRole('region', { name: 'Response as text' }).innerText();
    },
  };
}

/** Empties an element, in the browser. */
export function empty(place: { replaceChildren(): void }): void {
  place.replaceChildren();
}
