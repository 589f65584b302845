import { randomBytes } from 'node:crypto';
import { ConfigError } from '../config/config-error.ts';
import { readEnvironment } from '../config/environment.ts';
import { isInMemory } from '../store/address.ts';
import { systemClock } from '../time/clock.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { startDev, type DevAddresses } from './dev.ts';
import { createLogger, type Logger } from './logger.ts';
import { limitsFor } from './limits-for.ts';
import { loadConfig, type LoadedConfig, type ReadConfiguration } from './load-config.ts';
import { portSettingIn } from './port-setting.ts';
import { protocol } from './protocol.ts';
import { createReloader, type Reloader } from './reload.ts';
import { startGateway } from './start-gateway.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { runUntilSignal, type UntilSignalOptions } from './until-signal.ts';
import type { ServedConfig } from './served-config.ts';
import { startCrew } from './workers/start-crew.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface DevOptions {
  readonly env: Variables;
  /** Resolves when the documentation is built. */
  readonly docsReady: Promise<unknown>;
}

/**
 * Runs the development setup until a signal; resolves to the exit code. `onStarted` hears where
 * everything is. Rejects with StartError or ConfigError when it cannot start.
 */
export function runDev(
  { env, docsReady }: DevOptions,
  onStarted: (addresses: DevAddresses) => void,
): Promise<number> {
  const environment = readEnvironment(env);
  const logger = createLogger(environment.SPECGATE_LOG);
  return runUntilSignal(() => startDev(environment, { ...dependenciesWith(logger), docsReady }), {
    onStarted: ({ addresses }) => onStarted(addresses),
    ...logFailures(logger),
  });
}

/** What a stop may take beyond the time calls have to end: dialling, leases, workers that hang. */
const STOP_MS = 30_000;

export interface ServeOptions {
  /** The configuration. */
  readonly file: string;
  readonly env: Variables;
  /** Processes that serve; 1: this one. */
  readonly workers: number;
}

/**
 * Runs the gateway of a configuration file until a signal, reloading it on SIGHUP; resolves to the
 * exit code. Rejects with StartError or ConfigError when it cannot start.
 */
export async function runGateway(
  { file, env, workers }: ServeOptions,
  onStarted: (served: ServedConfig) => void,
): Promise<number> {
  const read = (): Promise<ReadConfiguration> => loadConfig({ file, env }, protocol);
  const { config, keyPairs, placeOf } = await read();
  if (workers > 1 && isInMemory(config.store)) {
    const what = 'store: workers do not share a store in memory; set it to a path';
    throw new ConfigError([{ where: placeOf(['store']), what }]);
  }
  const loaded = { config, keyPairs };
  const logger = createLogger(config.log);
  let reloader: Reloader | undefined;
  // From the first moment, and to the last: unheard, the signal would end the process.
  process.on('SIGHUP', () => reloader?.request());
  const start = async (): Promise<ServedConfig> => {
    const served =
      workers === 1
        ? await serveHere(loaded, { file, logger })
        : await startCrew(loaded, { workers, file, protocol, logger });
    const reloading = createReloader({ ...served, current: loaded, read, logger });
    reloader = reloading;
    return {
      ...served,
      async stop() {
        await reloading.stop();
        await served.stop();
      },
    };
  };
  const inForce = (): LoadedConfig => reloader?.inForce() ?? loaded;
  return runUntilSignal(start, {
    onStarted,
    stopLimit_ms: () => limitsFor(inForce().config, protocol).drain_ms + STOP_MS,
    ...logFailures(logger),
  });
}

/** Checks a configuration file and what it names; resolves to its networks' names. */
export async function checkConfigFile({
  file,
  env,
}: Omit<ServeOptions, 'workers'>): Promise<string[]> {
  const { config } = await loadConfig({ file, env }, protocol);
  return config.networks.map(({ name }) => name);
}

async function serveHere(
  loaded: LoadedConfig,
  { file, logger }: { readonly file: string; readonly logger: Logger },
): Promise<ServedConfig> {
  const portSetting = portSettingIn(file);
  const gateway = await startGateway(loaded, { ...dependenciesWith(logger), portSetting });
  return {
    ...gateway,
    async apply(next) {
      (await gateway.prepare(next)).take();
    },
  };
}

function logFailures(logger: Logger): Pick<UntilSignalOptions<never>, 'onFault' | 'onStopFailure'> {
  return {
    onFault: (fault) => logger.error({ err: fault }, 'a fault nobody caught'),
    onStopFailure: (failure) => logger.error({ err: failure }, 'the gateway did not stop cleanly'),
  };
}

function dependenciesWith(
  logger: Logger,
): Pick<GatewayDependencies, 'protocol' | 'clock' | 'logger' | 'instance' | 'tracing'> {
  const instance = randomBytes(4).toString('hex');
  const tracing = openTracing(protocol.version);
  return { protocol, logger, clock: systemClock, instance, tracing };
}
