import { join } from 'node:path';
import { readEnvironment, type Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { startArchiveNode } from '../devnet/archive/index.ts';
import { startEvmNode } from '../devnet/evm/index.ts';
import { startSolanaNode } from '../devnet/solana/index.ts';
import { systemDependencies, type GatewayDependencies } from './dependencies.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { runUntilSignal, startOrClose, type Closers } from './lifecycle.ts';
import { createLogger } from './logger.ts';
import { StartError } from './start-error.ts';

const DEMO_KEY = 'demo';

/** High enough that no one reaches them by hand. */
const DEMO_CREDITS_PER_DAY = 1_000_000_000_000;
const DEMO_CALLS_PER_SECOND = 1_000_000;
/** The default needs more open files than some machines allow, and would begin with a warning there. */
const DEMO_CONNECTIONS = 1_000;

/** The addresses of the development setup; those of networks contain the key. */
export interface DevAddresses {
  readonly key: string;
  readonly networks: Readonly<Record<NetworkName, { readonly http: string; readonly ws: string }>>;
  readonly docs: string;
  readonly ops: string;
}

interface RunningDev {
  readonly addresses: DevAddresses;
  stop(): Promise<void>;
}

interface DevOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settles when the documentation site is built. */
  readonly docsReady: Promise<unknown>;
}

/**
 * Runs the development setup until a signal; resolves to the exit code.
 * @throws StartError or ConfigError if it cannot start
 */
export function runDev(
  { env, docsReady }: DevOptions,
  onStarted: (addresses: DevAddresses) => void,
): Promise<number> {
  const environment = readEnvironment(env);
  const logger = createLogger(environment.SPECGATE_LOG);
  const dependencies = { ...systemDependencies(logger), docsReady };
  return runUntilSignal(() => startDev(environment, dependencies), {
    logger,
    onStarted: ({ addresses }) => onStarted(addresses),
  });
}

const devNetworks = {
  evm: { family: 'evm', portVariable: 'EVM_PORT', start: startEvmNode },
  solana: { family: 'svm', portVariable: 'SOLANA_PORT', start: startSolanaNode },
  archive: { family: 'evm', portVariable: 'ARCHIVE_PORT', start: startArchiveNode },
} as const;
type NetworkName = keyof typeof devNetworks;
const networkNames = Object.keys(devNetworks) as NetworkName[];

/** Returns the environment variable of the port of a network, `docs` or `ops`. */
function portVariableOf(listener: string): string {
  const network = devNetworks[listener as NetworkName] as { portVariable: string } | undefined;
  return network?.portVariable ?? `${listener.toUpperCase()}_PORT`;
}

/** Starts three nodes, each with a fixed history, and a gateway in front of them. */
function startDev(
  environment: Environment,
  dependencies: Omit<GatewayDependencies, 'demoKey' | 'portSetting'>,
): Promise<RunningDev> {
  return startOrClose(async (closers) => {
    const upstreams = await startNodes(closers);
    const gateway = await startGateway(
      { config: devConfig(environment, upstreams), keyPairs: {} },
      { ...dependencies, demoKey: DEMO_KEY, portSetting: portVariableOf },
    );
    closers.add(() => gateway.stop());
    return { addresses: addressesOf(gateway), stop: () => closers.closeAll() };
  });
}

async function startNodes(closers: Closers): Promise<Record<NetworkName, string>> {
  const started = await Promise.allSettled(networkNames.map((name) => devNetworks[name].start()));
  const urls: Partial<Record<NetworkName, string>> = {};
  const failures: string[] = [];
  for (const [index, outcome] of started.entries()) {
    const name = networkNames[index]!;
    if (outcome.status === 'rejected') {
      failures.push(`cannot start the ${name} node: ${(outcome.reason as Error).message}`);
    } else {
      closers.add(() => outcome.value.stop());
      urls[name] = outcome.value.httpUrl;
    }
  }
  if (failures.length > 0) throw new StartError(failures.join('\n'));
  return urls as Record<NetworkName, string>;
}

function devConfig(environment: Environment, urls: Record<NetworkName, string>): Config {
  const host = '127.0.0.1';
  const upstream = { name: 'devnet', headers: {}, weight: 1, tier: 1, budget: {} };
  return {
    networks: networkNames.map((name) => ({
      name,
      family: devNetworks[name].family,
      listen: { host, port: environment[devNetworks[name].portVariable] },
      upstreams: [{ ...upstream, url: urls[name] }],
    })),
    accounts: [
      {
        id: 'demo',
        plan: 'custom',
        creditsPerDay: DEMO_CREDITS_PER_DAY,
        callsPerSecond: DEMO_CALLS_PER_SECOND,
        keys: [{ key: DEMO_KEY, allow: {} }],
      },
    ],
    store: join(environment.SPECGATE_HOME, 'specgate.sqlite'),
    ops: { host, port: environment.OPS_PORT },
    docs: { host, port: environment.DOCS_PORT },
    plans: {},
    trustedProxies: [],
    log: environment.SPECGATE_LOG,
    monitorShare: 1,
    limits: { connections: DEMO_CONNECTIONS },
  };
}

function addressesOf({ networks, docs, ops }: Gateway): DevAddresses {
  const of = (name: NetworkName): { http: string; ws: string } => {
    const { http, ws } = networks.find((network) => network.name === name)!;
    return { http: `${http}/v3/${DEMO_KEY}`, ws: `${ws}/ws/v3/${DEMO_KEY}` };
  };
  const [evm, solana, archive] = [of('evm'), of('solana'), of('archive')];
  return { key: DEMO_KEY, networks: { evm, solana, archive }, docs: docs!, ops: ops! };
}
