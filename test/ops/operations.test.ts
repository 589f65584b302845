import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../src/ops/metrics.ts';
import {
  serveOperations,
  reportReadiness,
  STORE_UNAVAILABLE,
  type GatewayState,
  type ReadinessReport,
} from '../../src/ops/operations.ts';
import { mergeReadiness } from '../../src/ops/worker-reports.ts';

interface Served {
  state: GatewayState;
  get(path: string, init?: RequestInit): Promise<Response>;
}

const serving: GatewayState = {
  phase: 'serving',
  networks: { evm: true },
  isStoreUnavailable: false,
  hasCredits: false,
};

async function serve(): Promise<Served> {
  const metrics = createMetrics();
  const server = await serveOperations(
    { host: '127.0.0.1', port: 0 },
    { readiness: () => reportReadiness(served.state), metrics: () => metrics.render() },
  );
  onTestFinished(() => server.close());
  const served: Served = {
    state: { ...serving, phase: 'starting' },
    get: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init),
  };
  return served;
}

describe('the operations port', () => {
  it('is ready only while serving, while every network has a healthy upstream, and while calls get credits', async () => {
    const served = await serve();
    const ready = async (): Promise<[number, unknown]> => {
      const response = await served.get('/readyz');
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([
      503,
      {
        ready: false,
        phase: 'starting',
        networks: { evm: true },
        store: true,
        causes: ['the gateway is starting'],
      },
    ]);
    served.state = serving;
    expect((await ready())[0]).toBe(200);
    served.state = { ...serving, networks: { evm: true, solana: false } };
    expect(await ready()).toEqual([
      503,
      {
        ready: false,
        phase: 'serving',
        networks: { evm: true, solana: false },
        store: true,
        causes: ['network solana has no upstream that is healthy and within its daily budget'],
      },
    ]);
    served.state = { ...serving, isStoreUnavailable: true };
    expect(await ready()).toMatchObject([
      503,
      {
        store: false,
        causes: [STORE_UNAVAILABLE],
      },
    ]);
    served.state = serving;
    expect((await ready())[0]).toBe(200);
    served.state = { ...serving, phase: 'draining' };
    expect((await ready())[0]).toBe(503);
    expect((await served.get('/healthz')).status).toBe(200);
  });

  it('answers GET and HEAD on its three paths and nothing else', async () => {
    const { get } = await serve();
    expect((await get('/')).status).toBe(404);
    expect((await get('/constructor')).status).toBe(404);
    const post = await get('/healthz', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await get('/healthz?full', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('the readiness of several workers', () => {
  const merge = (...workers: readonly Partial<GatewayState>[]): ReadinessReport =>
    mergeReadiness({
      workers: 2,
      phase: 'serving',
      reports: new Map(
        workers.map((worker, index) => [
          String(index + 1),
          reportReadiness({ ...serving, ...worker }),
        ]),
      ),
    });

  it('needs all of them and each of their networks', () => {
    expect(merge({}, {})).toMatchObject({ isReady: true, causes: [] });
    expect(merge({})).toMatchObject({ isReady: false, causes: ['1 of 2 workers not responding'] });
    expect(merge({}, { networks: { evm: false } })).toMatchObject({
      isReady: false,
      networks: { evm: false },
      causes: ['worker 2: network evm has no upstream that is healthy and within its daily budget'],
    });
  });

  it('needs the store unless a worker has credits', () => {
    const isStoreUnavailable = true;
    expect(merge({ isStoreUnavailable }, { hasCredits: true })).toMatchObject({
      isReady: true,
      store: true,
      causes: [],
    });
    // The other worker has no calls, so it has not noticed.
    expect(merge({ isStoreUnavailable }, {})).toMatchObject({ isReady: false, store: false });
    expect(merge({ isStoreUnavailable }, { isStoreUnavailable })).toMatchObject({
      isReady: false,
      store: false,
      causes: [STORE_UNAVAILABLE],
    });
  });
});
