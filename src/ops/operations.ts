import type { Metrics } from './metrics.ts';
import { reportReadiness, type Readiness } from './readiness.ts';
import { servePages, type Page, type PageServer } from '../transport/serve-pages.ts';

/** The operations port: `/healthz`, `/readyz`, `/metrics`. Not for the outside. */
export function serveOperations(
  address: { readonly host: string; readonly port: number },
  readiness: Readiness,
  metrics: Metrics,
): Promise<PageServer> {
  return servePages({
    ...address,
    pages: {
      '/healthz': () => json(200, { status: 'ok' }),
      '/readyz': () => {
        const { isReady, ...report } = reportReadiness(readiness);
        return json(isReady ? 200 : 503, { ready: isReady, ...report });
      },
      '/metrics': async () => {
        const { text, contentType } = await metrics.render();
        return { status: 200, contentType, body: text };
      },
    },
  });
}

function json(status: number, value: object): Page {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}
