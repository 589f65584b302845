import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../src/ops/metrics.ts';
import { serveOperations } from '../../src/ops/operations.ts';
import type { Readiness } from '../../src/ops/readiness.ts';

interface Operations {
  readonly readiness: Readiness;
  readonly metrics: ReturnType<typeof createMetrics>;
  get(path: string, init?: RequestInit): Promise<Response>;
}

async function serve(): Promise<Operations> {
  const readiness: Readiness = { phase: 'starting', networks: () => ({ evm: true }) };
  const metrics = createMetrics();
  const server = await serveOperations({ host: '127.0.0.1', port: 0 }, readiness, metrics);
  onTestFinished(() => server.close());
  return {
    readiness,
    metrics,
    get: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init),
  };
}

describe('the operations port', () => {
  it('is ready only while serving, and only while every network has a fit upstream', async () => {
    const { readiness, get } = await serve();
    const ready = async (): Promise<[number, unknown]> => {
      const response = await get('/readyz');
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([
      503,
      { ready: false, phase: 'starting', networks: { evm: true } },
    ]);
    readiness.phase = 'serving';
    expect((await ready())[0]).toBe(200);
    readiness.networks = () => ({ evm: true, solana: false });
    expect(await ready()).toEqual([
      503,
      { ready: false, phase: 'serving', networks: { evm: true, solana: false } },
    ]);
    readiness.networks = () => ({ evm: true });
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

  it('tells calls, durations, credits, upstreams and connections in the Prometheus format', async () => {
    const { metrics, get } = await serve();
    const call = { network: 'evm', method: 'eth_a', outcome: 'ok', credits: 80, duration_ms: 3 };
    metrics.onCall(call);
    metrics.onCall({ ...call, duration_ms: 60_000 });
    metrics.onCall({ ...call, method: null, outcome: 'method_not_found', credits: 0 });
    metrics.onUpstreamOutcome('evm', 'node "a"\\', 'timeout');
    metrics.onUpstreamHealth('evm', 'a', true);
    metrics.onHead('evm', 'a', 16);
    metrics.onConnection('evm', 'http', 1);
    metrics.onConnection('evm', 'http', 1);
    metrics.onConnection('evm', 'http', -1);
    metrics.onStoreFailure();
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const lines = (await response.text()).split('\n');
    for (const line of [
      '# TYPE specgate_calls_total counter',
      'specgate_calls_total{network="evm",method="eth_a",outcome="ok"} 2',
      'specgate_calls_total{network="evm",method="unknown",outcome="method_not_found"} 1',
      'specgate_credits_charged_total{network="evm",method="eth_a"} 160',
      '# TYPE specgate_call_duration_seconds histogram',
      'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="0.0025"} 0',
      'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="0.005"} 1',
      'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="30"} 1',
      'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="+Inf"} 2',
      'specgate_call_duration_seconds_sum{network="evm",method="eth_a"} 60.003',
      'specgate_call_duration_seconds_count{network="evm",method="eth_a"} 2',
      'specgate_upstream_calls_total{network="evm",upstream="node \\"a\\"\\\\",outcome="timeout"} 1',
      'specgate_upstream_healthy{network="evm",upstream="a"} 1',
      'specgate_upstream_head{network="evm",upstream="a"} 16',
      'specgate_connections{network="evm",transport="http"} 1',
      'specgate_store_failures_total 1',
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_seconds'))).toBe(true);
  });
});
