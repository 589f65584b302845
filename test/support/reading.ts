/** A reader's browser, in which nothing may go wrong that is not expected. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

export interface ReadingOptions extends BrowserContextOptions {
  /** What may be on the console. */
  readonly expected?: readonly RegExp[];
}

export interface Reading {
  readonly context: BrowserContext;
  /** Closes it. Throws when something was on its console, or another host was asked. */
  end(): Promise<void>;
}

export async function startReading(
  browser: Browser,
  { expected = [], ...options }: ReadingOptions = {},
): Promise<Reading> {
  const context = await browser.newContext(options);
  const wrong: string[] = [];
  context.on('request', (request) => {
    const { hostname } = new URL(request.url());
    if (hostname !== '127.0.0.1') wrong.push(`asked ${request.url()}`);
  });
  context.on('console', (message) => {
    if (!/^(?:error|warning)$/.test(message.type())) return;
    if (!expected.some((pattern) => pattern.test(message.text()))) wrong.push(message.text());
  });
  context.on('weberror', (error) => wrong.push(String(error.error())));
  return {
    context,
    end: async () => {
      await context.close();
      if (wrong.length > 0) throw new Error(`a page went wrong:\n${wrong.join('\n')}`);
    },
  };
}
