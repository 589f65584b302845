import { onTestFinished } from 'vitest';
import { openHttpUpstream } from '../../src/upstream/http-upstream.ts';
import {
  createNetwork,
  type Network,
  type NetworkOptions,
  type UpstreamLimits,
} from '../../src/upstream/network.ts';
import type { Upstream, UpstreamOutcome } from '../../src/upstream/upstream.ts';

export const limits: UpstreamLimits = {
  call_deadline_ms: 2_000,
  try_ms: 300,
  most_tries: 3,
  upstream_calls_in_flight: 100,
  probe_interval_ms: 20,
  probe_ms: 200,
  probe_failures: 2,
};

export function openUpstream(url: URL, response_bytes = 100_000): Upstream {
  const upstream = openHttpUpstream({
    url,
    headers: { 'x-token': 'secret' },
    connections: 4,
    connect_ms: 500,
    response_bytes,
    response_depth: 512,
  });
  onTestFinished(() => upstream.close());
  return upstream.call;
}

export interface WatchedNetwork extends Network {
  readonly outcomes: [upstream: string, outcome: string][];
  readonly health: [upstream: string, isFit: boolean, detail: string][];
}

/** A network over the given upstreams, followed and stopped with the test. */
export async function startNetwork(
  urls: readonly URL[],
  overrides: Partial<Pick<NetworkOptions, 'family' | 'identity'>> & {
    limits?: Partial<UpstreamLimits>;
  } = {},
): Promise<WatchedNetwork> {
  const outcomes: WatchedNetwork['outcomes'] = [];
  const health: WatchedNetwork['health'] = [];
  const network = createNetwork({
    family: overrides.family ?? 'evm',
    identity: overrides.identity,
    upstreams: urls.map((url, index) => ({
      name: `node-${index}`,
      weight: 1,
      call: openUpstream(url),
      close: () => Promise.resolve(),
    })),
    limits: { ...limits, ...overrides.limits },
    monotonic_ms: () => performance.now(),
    watcher: {
      onOutcome: (name, outcome) =>
        outcomes.push([name, outcome.kind === 'failure' ? outcome.cause : outcome.kind]),
      onHealth: (name, isFit, detail) => health.push([name, isFit, detail]),
      onHead: () => undefined,
    },
  });
  onTestFinished(() => network.stop());
  await network.start();
  return { ...network, outcomes, health };
}

export function ask(
  upstream: Upstream,
  method = 'eth_test',
  signal: AbortSignal = new AbortController().signal,
): Promise<UpstreamOutcome> {
  return upstream({ method, params: Buffer.from('[ 1, {"a" : 1.0} ]') }, signal);
}
