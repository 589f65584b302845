import { servePages, type Page, type PageServer } from '../transport/serve-pages.ts';
import type { ReadinessReport } from './readiness.ts';

/** The state of this process, or of all workers together. */
export interface Operations {
  readiness(): ReadinessReport | Promise<ReadinessReport>;
  /** Returns the text of all metrics, and its media type. */
  metrics(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** Serves `/healthz`, `/readyz` and `/metrics`, on a port that must not be public. */
export function serveOperations(
  address: { readonly host: string; readonly port: number },
  operations: Operations,
): Promise<PageServer> {
  return servePages({
    ...address,
    pages: {
      '/healthz': () => json(200, { status: 'ok' }),
      '/readyz': async () => {
        const { isReady, ...report } = await operations.readiness();
        return json(isReady ? 200 : 503, { ready: isReady, ...report });
      },
      '/metrics': async () => {
        const { text, contentType } = await operations.metrics();
        return { status: 200, contentType, body: text };
      },
    },
  });
}

function json(status: number, value: object): Page {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}
