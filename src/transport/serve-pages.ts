import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PageServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface PagesOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Pages by their path. */
  readonly pages: Readonly<Record<string, () => Page | Promise<Page>>>;
}

/** How long a request may take to arrive: these ports answer a few small GETs. */
const REQUEST_MS = 5_000;

/** Serves a few pages by GET; everything else is 404 or 405. Rejects when it cannot listen. */
export async function servePages({ host, port, pages }: PagesOptions): Promise<PageServer> {
  const pageFor = async (method: string, path: string): Promise<Page> => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return plain(404, 'not found\n');
    if (method !== 'GET' && method !== 'HEAD') {
      return { ...plain(405, 'GET only\n'), headers: { allow: 'GET, HEAD' } };
    }
    return page();
  };
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?');
    const page = await pageFor(request.method ?? '', path).catch(() => plain(500, 'failed\n'));
    const bytes = Buffer.from(page.body);
    response.writeHead(page.status, {
      'content-type': page.contentType,
      'content-length': bytes.length,
      'x-content-type-options': 'nosniff',
      ...page.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  };
  server.on('request', (request, response) => void answer(request, response));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function plain(status: number, body: string): Page {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}
