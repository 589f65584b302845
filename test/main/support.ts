import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import type { Protocol } from '../../src/gateway/protocol.ts';
import type { Logger } from '../../src/main/logger.ts';
import { startGateway, type Gateway } from '../../src/main/gateway.ts';
import { systemClock } from '../../src/time/clock.ts';
import type { Tracing } from '../../src/tracing/open-tracing.ts';
import { protocol as small } from '../gateway/support/protocol.ts';
import { temporaryFolder } from '../store/support.ts';

export const KEY = 'sg-key-of-the-tests-0123456789';

export interface TestGateway extends Gateway {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly config: Config;
  /** All that was logged, debug included, as text. */
  readonly log: string[];
  ready(): Promise<number>;
}

/** A configuration with one network before `upstreams`, on free ports. */
export async function configFor(
  upstreams: readonly URL[],
  overrides: Partial<Config> = {},
): Promise<Config> {
  const address = { host: '127.0.0.1', port: 0 };
  return {
    networks: [
      {
        name: 'evm',
        family: 'evm',
        listen: address,
        upstreams: upstreams.map((url) => ({
          url: url.href,
          headers: {},
          weight: 1,
          tier: 1,
          budget: {},
        })),
      },
    ],
    accounts: [{ id: 'acme', plan: 'free', keys: [{ key: KEY, allow: {} }] }],
    store: join(await temporaryFolder(), 'deep', 'specgate.sqlite'),
    ops: address,
    plans: {},
    trustedProxies: [],
    monitorShare: 1,
    log: 'debug',
    limits: { probe_interval_ms: 20, probe_ms: 2_000, key_refresh_ms: 20, lease_tick_ms: 20 },
    ...overrides,
  };
}

/** Sends each call to a node, as tests need that count or identify what nodes receive. */
export function withoutCache(config: Config): Config {
  const networks = config.networks.map((each) => ({ ...each, cache: false, sharedCalls: false }));
  return { ...config, networks };
}

export interface StartOptions {
  readonly tracing?: Tracing | undefined;
  /** In place of the small one of the tests. */
  readonly protocol?: Protocol;
}

export async function start(
  config: Config,
  { tracing, protocol = small }: StartOptions = {},
): Promise<TestGateway> {
  const log: string[] = [];
  const write = (...parts: unknown[]): void => void log.push(JSON.stringify(parts, replaceError));
  const logger = {
    debug: write,
    info: write,
    warn: write,
    error: write,
    isLevelEnabled: () => true,
  };
  const gateway = await startGateway(
    { config, keyPairs: {} },
    {
      protocol,
      logger: logger as unknown as Logger,
      clock: systemClock,
      instance: 'test',
      tracing,
      portSetting: (listener) => `PORT_OF_${listener}`,
    },
  );
  onTestFinished(() => gateway.stop().catch(ignoreLostLeases));
  const [network] = gateway.networks;
  return {
    ...gateway,
    config,
    log,
    rpcUrl: `${network!.http}/v3/${KEY}`,
    wsUrl: `${network!.ws}/ws/v3/${KEY}`,
    ready: async () => (await fetch(new URL('readyz', gateway.ops!))).status,
  };
}

function replaceError(_name: string, value: unknown): unknown {
  return value instanceof Error ? `${value.stack}` : value;
}

/** Ignores that leases expired before a gateway stopped, as they do in an outage or on a busy machine. */
export function ignoreLostLeases(error: unknown): void {
  if (!(error instanceof Error && error.message.startsWith('leases of today expired'))) throw error;
}
