import { describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../src/ops/metrics.ts';
import type { UpstreamStatus } from '../../src/upstream/network.ts';

async function linesOf(metrics: Metrics): Promise<string[]> {
  return (await metrics.render()).text.split('\n');
}

const call = { network: 'evm', method: 'eth_a', outcome: 'ok', credits: 80, duration_ms: 3 };
const by = { upstream: 'a', isPartner: false, method: 'eth_a', requestId: 'r-1' } as const;
const ended = { ...by, code: null, detail: '', duration_ms: 7 } as const;

const status: UpstreamStatus = {
  name: 'a',
  isPartner: false,
  tier: 1,
  isHealthy: true,
  breaker: 'half-open',
  head: { number: 16, gasLimit: null },
  inFlight: 2,
  callsLeftToday: 9,
};

describe('the metrics', () => {
  it('are in the Prometheus text format, those of the process among them', async () => {
    const { text, contentType } = await createMetrics().render();
    expect(contentType).toContain('text/plain; version=0.0.4');
    const lines = text.split('\n');
    expect(lines).toContain('# TYPE nodejs_eventloop_lag_seconds gauge');
    const names = lines.filter((line) => line.startsWith('# TYPE'));
    expect(new Set(names).size).toBe(names.length);
    for (const line of lines) {
      expect(line).toMatch(/^$|^# (?:HELP|TYPE) |^\w+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? \S+$/);
    }
  });

  it('count calls, with their duration and price, by network and method', async () => {
    const metrics = createMetrics();
    metrics.onCall(call);
    metrics.onCall({ ...call, duration_ms: 60_000 });
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'specgate_calls_total{network="evm",method="eth_a",outcome="ok"} 2',
        'specgate_credits_charged_total{network="evm",method="eth_a"} 160',
        'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="0.0025"} 0',
        'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="0.005"} 1',
        'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="30"} 1',
        'specgate_call_duration_seconds_bucket{network="evm",method="eth_a",le="+Inf"} 2',
        'specgate_call_duration_seconds_sum{network="evm",method="eth_a"} 60.003',
        'specgate_call_duration_seconds_count{network="evm",method="eth_a"} 2',
      ]),
    );
  });

  it('count all unknown methods under one label', async () => {
    const metrics = createMetrics();
    for (let count = 0; count < 3; count += 1) {
      metrics.onCall({ ...call, method: null, outcome: 'method_not_found', credits: 0 });
    }
    expect(await linesOf(metrics)).toContain(
      'specgate_calls_total{network="evm",method="unknown",outcome="method_not_found"} 3',
    );
  });

  it('count connections, batches and refused requests', async () => {
    const metrics = createMetrics({ callsInFlight: () => [[4, 'evm']] });
    for (const change of [1, 1, -1] as const) metrics.onConnection('evm', 'http', change);
    metrics.onConnection('evm', 'websocket', 1);
    metrics.onBatch('evm', 5);
    metrics.onBatch('evm', 2);
    metrics.onRefusal('evm', 'key_unknown');
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'specgate_connections{network="evm",transport="http"} 1',
        'specgate_connections{network="evm",transport="websocket"} 1',
        'specgate_batches_total{network="evm"} 2',
        'specgate_batched_calls_total{network="evm"} 7',
        'specgate_requests_rejected_total{network="evm",reason="key_unknown"} 1',
        'specgate_calls_in_flight{network="evm"} 4',
      ]),
    );
  });

  it('count each attempt at an upstream, its outcome, and what follows', async () => {
    const metrics = createMetrics();
    const observe = metrics.onUpstreamEvent.bind(undefined, 'evm');
    observe({ kind: 'attempt', upstream: 'a', isPartner: false, method: 'eth_a' });
    observe({ kind: 'outcome', ...ended, outcome: 'timeout' });
    observe({ kind: 'retry', upstream: 'b', method: 'eth_a', cause: 'timeout' });
    observe({ kind: 'hedge', upstream: 'b', method: 'eth_a' });
    observe({ kind: 'forward', method: 'eth_a', requestId: 'r-1', cause: 'none' });
    observe({ kind: 'stream', ...by, end: 'whole', detail: '', bytes: 90, duration_ms: 1 });
    observe({ kind: 'breaker', upstream: 'a', state: 'open' });
    observe({ kind: 'cooldown', upstream: 'a', cooldown_ms: 500 });
    metrics.onContractCheck('evm', 'node "a"\\', 'violation');
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'specgate_upstream_attempts_total{network="evm",upstream="a"} 1',
        'specgate_upstream_calls_total{network="evm",upstream="a",outcome="timeout"} 1',
        'specgate_upstream_duration_seconds_bucket{network="evm",upstream="a",le="0.01"} 1',
        'specgate_upstream_retries_total{network="evm",upstream="b",cause="timeout"} 1',
        'specgate_upstream_hedges_total{network="evm",upstream="b"} 1',
        'specgate_forwards_total{network="evm",method="eth_a",cause="none"} 1',
        'specgate_streams_total{network="evm",upstream="a",end="whole"} 1',
        'specgate_streamed_bytes_total{network="evm",upstream="a"} 90',
        'specgate_upstream_breaker_changes_total{network="evm",upstream="a",state="open"} 1',
        'specgate_upstream_cooldowns_total{network="evm",upstream="a"} 1',
        'specgate_contract_checks_total{network="evm",upstream="node \\"a\\"\\\\",outcome="violation"} 1',
      ]),
    );
  });

  it('read the state of upstreams when they are scraped', async () => {
    const behind = { ...status, name: 'b', head: { number: 12, gasLimit: null } };
    const partner = { ...status, name: 'p', isPartner: true, isHealthy: false, head: undefined };
    const unbounded = { ...partner, callsLeftToday: null };
    const metrics = createMetrics({
      upstreams: () => [['evm', [status, behind, unbounded]]],
    });
    const lines = await linesOf(metrics);
    expect(lines).toEqual(
      expect.arrayContaining([
        'specgate_upstream_healthy{network="evm",upstream="a"} 1',
        'specgate_upstream_head{network="evm",upstream="a"} 16',
        'specgate_upstream_lag{network="evm",upstream="a"} 0',
        'specgate_upstream_lag{network="evm",upstream="b"} 4',
        'specgate_upstream_breaker{network="evm",upstream="p",state="half-open"} 1',
        'specgate_upstream_breaker{network="evm",upstream="p",state="open"} 0',
        'specgate_upstream_calls_in_flight{network="evm",upstream="p"} 2',
        'specgate_upstream_budget_left{network="evm",upstream="a"} 9',
      ]),
    );
    // A partner is not probed, so it has no health.
    expect(lines.join('\n')).not.toMatch(/(?:healthy|head|lag|budget_left)\{[^}]*upstream="p"/);
  });

  it('count store operations and read the figures of the ledger', async () => {
    const metrics = createMetrics({
      isReady: () => true,
      ledger: () => ({
        accounts: 1,
        leases: 2,
        held_credits: 300,
        reserved_credits: 80,
        waiting_calls: 3,
        granted: 4,
        expired: 5,
        closed: 6,
        refused: 7,
        unrecorded_credits: 8,
      }),
    });
    metrics.onStoreOperation({ name: 'readChanges', hasFailed: false, duration_ms: 2 });
    metrics.onStoreOperation({ name: 'renewLeases', hasFailed: true, duration_ms: 2 });
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'specgate_ready 1',
        'specgate_store_operations_total{operation="readChanges",outcome="ok"} 1',
        'specgate_store_operations_total{operation="renewLeases",outcome="failed"} 1',
        'specgate_store_failures_total 1',
        'specgate_store_duration_seconds_count{operation="readChanges"} 1',
        'specgate_leases_held 2',
        'specgate_leased_credits 300',
        'specgate_reserved_credits 80',
        'specgate_calls_waiting_for_store 3',
        'specgate_leases_granted_total 4',
        'specgate_leases_expired_total 5',
        'specgate_leases_closed_total 6',
        'specgate_lease_rejections_total 7',
        'specgate_credits_unrecorded_total 8',
      ]),
    );
  });
});
