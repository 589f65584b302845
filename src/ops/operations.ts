import { servePages, type Page, type PageServer } from '../transport/serve-pages.ts';

export type Phase = 'starting' | 'serving' | 'draining';

/** The state of a gateway that decides whether it is ready. */
export interface GatewayState {
  readonly phase: Phase;
  /** By network: whether it has an upstream that is healthy and within its daily budget. */
  readonly networks: Readonly<Record<string, boolean>>;
  /** Whether every call is rejected because the store is unavailable. */
  readonly isStoreUnavailable: boolean;
  /** Whether credits can be spent without the store. */
  readonly hasCredits: boolean;
}

export interface ReadinessReport {
  readonly isReady: boolean;
  readonly phase: Phase;
  readonly networks: Readonly<Record<string, boolean>>;
  /** Whether calls get the credits they need. */
  readonly store: boolean;
  /** Whether credits can be spent without the store; not shown. */
  readonly hasCredits: boolean;
  /** Why it is not ready, in words. */
  readonly causes: readonly string[];
}

export const STORE_UNAVAILABLE =
  'the store is unavailable, and calls are rejected because credits cannot be leased';

/** A gateway is ready when it serves, every network has an available upstream, and calls get credits. */
export function reportReadiness({
  phase,
  networks,
  isStoreUnavailable,
  hasCredits,
}: GatewayState): ReadinessReport {
  const causes = [
    ...(phase === 'serving' ? [] : [`the gateway is ${phase}`]),
    ...Object.keys(networks)
      .filter((name) => networks[name] !== true)
      .map((name) => `network ${name} has no upstream that is healthy and within its daily budget`),
    ...(isStoreUnavailable ? [STORE_UNAVAILABLE] : []),
  ];
  const store = !isStoreUnavailable;
  return { isReady: causes.length === 0, phase, networks, store, hasCredits, causes };
}

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
        const { isReady, hasCredits: _, ...report } = await operations.readiness();
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
