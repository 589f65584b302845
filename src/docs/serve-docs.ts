import { servePages, type PageServer } from '../transport/serve-pages.ts';
import { contentSecurityPolicy, renderPage, type PageContent } from './page.ts';

/** The documentation port: one page, and the document. */
export function serveDocs(
  address: { readonly host: string; readonly port: number },
  content: PageContent,
  document: string,
): Promise<PageServer> {
  const body = renderPage(content);
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
  };
  return servePages({
    ...address,
    pages: {
      '/': () => ({ status: 200, contentType: 'text/html; charset=utf-8', body, headers }),
      '/openrpc.json': () => ({
        status: 200,
        contentType: 'application/json',
        body: document,
        headers: { 'access-control-allow-origin': '*' },
      }),
    },
  });
}
