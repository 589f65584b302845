import { onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import type { UpstreamEvent } from '../../src/upstream/events.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../../src/upstream/limits.ts';
import type { NodeConfig } from '../../src/upstream/upstream-node.ts';
import { createNetwork, type Network, type NetworkOptions } from '../../src/upstream/network.ts';
import { openUpstream as open } from '../../src/upstream/open-upstream.ts';
import type {
  OpenUpstream,
  StreamingOutcome,
  StreamingUpstream,
  UpstreamCall,
} from '../../src/upstream/upstream.ts';
import type { FakeClock } from './clock.ts';

export const limits: UpstreamLimits = {
  ...defaultUpstreamLimits,
  // Generous, so that tests that are not about time pass on a busy machine.
  call_deadline_ms: 20_000,
  attempt_ms: 10_000,
  partner_ms: 5_000,
  upstream_connections: 4,
  upstream_calls_in_flight: 100,
  probe_interval_ms: 20,
  probe_ms: 10_000,
  response_bytes: 100_000,
  reconnect_first_ms: 20,
};

export const secretHeaders = { 'x-token': 'secret-token' };

/** Opens an upstream and closes it after the test. */
export function openAt(
  url: URL,
  overrides: Partial<UpstreamLimits> = {},
  clock: Clock | FakeClock = systemClock,
  isLimited = false,
): OpenUpstream {
  const timers = 'startTimer' in clock ? { startTimer: clock.startTimer } : {};
  const upstream = open(
    { url, headers: secretHeaders, isLimited },
    { limits: { ...limits, ...overrides }, random: () => 0.5, clock, ...timers },
  );
  onTestFinished(() => upstream.close());
  return upstream;
}

/** Returns the call function of an upstream that is not verified. */
export function openUpstream(url: URL, overrides: Partial<UpstreamLimits> = {}): StreamingUpstream {
  return openAt(url, overrides).call;
}

export interface WatchedNetwork extends Network {
  readonly events: UpstreamEvent[];
  /** Node and outcome of each ended attempt. */
  readonly outcomes: [upstream: string, outcome: string][];
  readonly health: [upstream: string, isHealthy: boolean, detail: string][];
}

export type NetworkOverrides = Partial<Omit<NetworkOptions, 'upstreams' | 'limits' | 'partner'>> & {
  readonly limits?: Partial<UpstreamLimits>;
  readonly partner?: URL;
  /** Clock and timers of the connections only. */
  readonly connectionClock?: FakeClock;
  /** Configuration of the node with the same index. */
  readonly nodes?: readonly Partial<NodeConfig>[];
};

/** Starts a network over the given nodes (node-0, node-1…) and stops it after the test. */
export async function startNetwork(
  urls: readonly URL[],
  { partner, connectionClock, nodes = [], ...overrides }: NetworkOverrides = {},
): Promise<WatchedNetwork> {
  const events: UpstreamEvent[] = [];
  const bounds = { ...limits, ...overrides.limits };
  const network = createNetwork({
    family: 'evm',
    identity: undefined,
    random: () => 0.5,
    ...overrides,
    upstreams: urls.map((url, index) => ({
      name: `node-${index}`,
      upstream: openAt(url, bounds, connectionClock, nodes[index]?.callsInFlight !== undefined),
      ...nodes[index],
    })),
    ...(partner && { partner: { name: 'partner', upstream: openAt(partner, bounds) } }),
    limits: bounds,
    observe: (event) => events.push(event),
  });
  onTestFinished(() => network.stop());
  await network.start();
  return {
    ...network,
    events,
    get outcomes(): [string, string][] {
      return events.flatMap((event): [string, string][] =>
        event.kind === 'outcome' ? [[event.upstream, event.outcome]] : [],
      );
    },
    get health(): [string, boolean, string][] {
      return events.flatMap((event): [string, boolean, string][] =>
        event.kind === 'health' ? [[event.upstream, event.isHealthy, event.detail]] : [],
      );
    },
  };
}

/** Params with odd whitespace, which must arrive unchanged. */
export const params = Buffer.from('[ 1, {"a" : 1.0} ]');

export function ask(
  upstream: StreamingUpstream,
  method = 'eth_test',
  signal: AbortSignal = new AbortController().signal,
): Promise<StreamingOutcome> {
  return upstream({ method, params }, signal);
}

export function callOf(
  method: string,
  text: string,
  rest: Partial<UpstreamCall> = {},
): UpstreamCall {
  return { method, params: Buffer.from(text), ...rest };
}

/** Returns the text of a whole result, or the kind of any other outcome. */
export function textOf(outcome: StreamingOutcome): string {
  if (outcome.kind === 'result') return outcome.result.toString();
  if (outcome.kind === 'error') return `error ${outcome.error.code}`;
  return outcome.kind === 'failure' ? outcome.cause : outcome.kind;
}
