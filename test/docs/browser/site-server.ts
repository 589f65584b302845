/** Sites as a reader meets them: built, served, and open in a real browser. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { buildSite, type SiteFiles } from '../../../bin/docs/build-site.ts';
import type { GuideFolder } from '../../../bin/docs/assets.ts';
import type { Model } from '../../../generator/model/model.ts';
import { createSiteAnswers } from '../../../src/docs/serve-docs.ts';
import { fileOf } from '../../../src/docs/site.ts';

export interface ServedSite {
  /** With a slash at its end. */
  readonly url: string;
  readonly files: SiteFiles;
  close(): Promise<void>;
}

/** Builds the site of a Model and serves it below `base`, as any file server would. */
export async function serveSiteOf(
  model: Model,
  { base = '/', ...guides }: GuideFolder & { readonly base?: string } = {},
): Promise<ServedSite> {
  return serveFiles(await buildSite(model, { source: 'openrpc.json', ...guides }), base);
}

export async function serveFiles(files: SiteFiles, base = '/'): Promise<ServedSite> {
  const site = new Map([...files].map(([path, body]) => [path, fileOf(path, body)]));
  const answer = createSiteAnswers(site, {});
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const [path = ''] = url.split('?');
    const within = path.startsWith(base) ? `/${path.slice(base.length)}` : '/outside';
    void answer({ method, path: within, headers }).then(({ status, headers, body }) =>
      response.writeHead(status, headers).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    files,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The pages a reader is led to: all but the one for what is not there. */
export function pagePaths({ files }: Pick<ServedSite, 'files'>): readonly string[] {
  return [...files.keys()].filter((path) => path.endsWith('.html') && path !== '404.html');
}

/** What went wrong in a browser: errors on the console, and requests to another host. */
export function watch(context: BrowserContext, { url }: Pick<ServedSite, 'url'>): string[] {
  const wrong: string[] = [];
  const { host } = new URL(url);
  context.on('request', (request) => {
    if (new URL(request.url()).host !== host) wrong.push(`asked ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
  });
  context.on('weberror', (error) => wrong.push(String(error.error())));
  context.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return wrong;
}

/** Opens every fold, so that what is in it is looked at as well. */
export async function openFolds(page: Page): Promise<void> {
  await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
}
