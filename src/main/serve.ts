import { ConfigError } from '../config/config-error.ts';
import { isInMemory } from '../store/address.ts';
import { portSettingIn, type ServedAddresses } from './addresses.ts';
import { limitsFor } from './config-swap.ts';
import { protocol, systemDependencies } from './dependencies.ts';
import { startGateway } from './gateway.ts';
import { runUntilSignal } from './lifecycle.ts';
import {
  loadConfig,
  type ConfigFile,
  type ConfigSource,
  type LoadedConfig,
} from './load-config.ts';
import { createLogger, type Logger } from './logger.ts';
import { Reloader, type ServedGateway } from './reload.ts';
import { serveWithWorkers } from './workers/worker-pool.ts';

/**
 * How long a stop may take in addition to the drain time, e.g. to return leases or to end unresponsive
 * workers.
 */
const STOP_TIMEOUT_MS = 30_000;

export interface ServeOptions extends ConfigSource {
  /** Number of processes that serve; with 1, this process serves. */
  readonly workers: number;
}

/**
 * Runs the gateway of a configuration file until a signal, and reloads it on SIGHUP. Resolves to the
 * exit code.
 * @throws StartError or ConfigError if it cannot start
 */
export async function runGateway(
  { file, env, workers }: ServeOptions,
  onStarted: (served: ServedAddresses) => void,
): Promise<number> {
  const read = (): Promise<ConfigFile> => loadConfig({ file, env }, protocol);
  const { loaded, placeOf } = await read();
  if (workers > 1 && isInMemory(loaded.config.store)) {
    const what = 'store: workers cannot share an in-memory store; set it to a path';
    throw new ConfigError([{ where: placeOf(['store']), what }]);
  }
  const logger = createLogger(loaded.config.log);
  let reloader: Reloader | undefined;
  // Installed during the start and kept during the stop: without a listener, SIGHUP ends the process.
  process.on('SIGHUP', () => reloader?.request());
  const start = async (): Promise<ServedGateway> => {
    const target =
      workers === 1
        ? await serveInProcess(loaded, { file, logger })
        : await serveWithWorkers(loaded, { workers, file, protocol, logger });
    const reloading = new Reloader({ current: loaded, read, target, logger });
    reloader = reloading;
    return {
      ...target,
      async stop() {
        await reloading.stop();
        await target.stop();
      },
    };
  };
  const drain_ms = (): number => limitsFor((reloader?.current ?? loaded).config, protocol).drain_ms;
  return runUntilSignal(start, {
    logger,
    onStarted,
    stopTimeout_ms: () => drain_ms() + STOP_TIMEOUT_MS,
  });
}

/** Checks a configuration file and the files it names; resolves to the names of its networks. */
export async function checkConfigFile(source: ConfigSource): Promise<string[]> {
  const { loaded } = await loadConfig(source, protocol);
  return loaded.config.networks.map(({ name }) => name);
}

async function serveInProcess(
  loaded: LoadedConfig,
  { file, logger }: { readonly file: string; readonly logger: Logger },
): Promise<ServedGateway> {
  const portSetting = portSettingIn(file);
  const gateway = await startGateway(loaded, { ...systemDependencies(logger), portSetting });
  return {
    ...gateway,
    async apply(next) {
      const prepared = await gateway.prepare(next);
      prepared.activate();
    },
  };
}
