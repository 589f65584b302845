import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../src/ops/metrics.ts';
import { serveOperations } from '../../src/ops/operations.ts';
import {
  mergeReadiness,
  reportReadiness,
  type Readiness,
  type ReadinessReport,
} from '../../src/ops/readiness.ts';

interface Operations {
  readonly readiness: Readiness;
  readonly metrics: ReturnType<typeof createMetrics>;
  get(path: string, init?: RequestInit): Promise<Response>;
}

async function serve(): Promise<Operations> {
  const readiness: Readiness = {
    phase: 'starting',
    networks: () => ({ evm: true }),
    isStoreOut: () => false,
  };
  const metrics = createMetrics();
  const operations = {
    readiness: () => reportReadiness(readiness),
    metrics: () => metrics.render(),
  };
  const server = await serveOperations({ host: '127.0.0.1', port: 0 }, operations);
  onTestFinished(() => server.close());
  return {
    readiness,
    metrics,
    get: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init),
  };
}

describe('the operations port', () => {
  it('is ready only while serving, while every network has a fit upstream, and while calls get credits', async () => {
    const { readiness, get } = await serve();
    const ready = async (): Promise<[number, unknown]> => {
      const response = await get('/readyz');
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
    readiness.phase = 'serving';
    expect((await ready())[0]).toBe(200);
    readiness.networks = () => ({ evm: true, solana: false });
    expect(await ready()).toEqual([
      503,
      {
        ready: false,
        phase: 'serving',
        networks: { evm: true, solana: false },
        store: true,
        causes: ['network solana has no upstream fit to be asked'],
      },
    ]);
    readiness.networks = () => ({ evm: true });
    readiness.isStoreOut = () => true;
    expect(await ready()).toMatchObject([
      503,
      {
        store: false,
        causes: ['the store does not answer, and calls are refused for want of credits'],
      },
    ]);
    readiness.isStoreOut = () => false;
    expect((await ready())[0]).toBe(200);
    readiness.phase = 'draining';
    expect((await ready())[0]).toBe(503);
    expect((await get('/healthz')).status).toBe(200);
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
  const ready = {
    phase: 'serving',
    networks: () => ({ evm: true }),
    isStoreOut: () => false,
  } as const;
  const merge = (...workers: readonly Partial<Readiness>[]): ReadinessReport =>
    mergeReadiness({
      workers: 2,
      phase: 'serving',
      reports: new Map(
        workers.map((worker, index) => [
          String(index + 1),
          reportReadiness({ ...ready, ...worker }),
        ]),
      ),
    });

  it('needs all of them and each of their networks', () => {
    expect(merge({}, {})).toMatchObject({ isReady: true, causes: [] });
    expect(merge({})).toMatchObject({ isReady: false, causes: ['1 of 2 workers are absent'] });
    expect(merge({}, { networks: () => ({ evm: false }) })).toMatchObject({
      isReady: false,
      networks: { evm: false },
      causes: ['worker 2: network evm has no upstream fit to be asked'],
    });
  });

  it('is lost for want of the store only when none of them has credits', () => {
    const isStoreOut = (): boolean => true;
    expect(merge({ isStoreOut }, {})).toMatchObject({ isReady: true, store: true, causes: [] });
    expect(merge({ isStoreOut }, { isStoreOut })).toMatchObject({
      isReady: false,
      store: false,
      causes: ['the store does not answer, and calls are refused for want of credits'],
    });
  });
});
