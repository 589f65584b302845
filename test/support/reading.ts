/** A reader's browser, in which nothing may go wrong that is not expected. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

export interface Reading {
  readonly context: BrowserContext;
  /** Throws when since the last look something else was on its console, or another host was asked. */
  look(expected?: readonly RegExp[]): void;
  /** Closes it, after a last look. */
  end(): Promise<void>;
}

export async function startReading(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Reading> {
  const context = await browser.newContext(options);
  const wrong: string[] = [];
  context.on('request', (request) => {
    const { hostname } = new URL(request.url());
    if (hostname !== '127.0.0.1') wrong.push(`asked ${request.url()}`);
  });
  context.on('console', (message) => {
    if (/^(?:error|warning)$/.test(message.type())) wrong.push(message.text());
  });
  context.on('weberror', (error) => wrong.push(String(error.error())));
  const look = (expected: readonly RegExp[] = []): void => {
    const found = wrong.splice(0).filter((text) => !expected.some((each) => each.test(text)));
    if (found.length > 0) throw new Error(`a page went wrong:\n${found.join('\n')}`);
  };
  return {
    context,
    look,
    end: async () => {
      await context.close();
      look();
    },
  };
}
