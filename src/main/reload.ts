import type { LimitName } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { keyOf, type ServedAddresses } from './addresses.ts';
import {
  refuseInvalid,
  type ConfigFile,
  type InvalidSetting,
  type LoadedConfig,
} from './load-config.ts';
import type { Logger } from './logger.ts';
import { isForOperator } from './start-error.ts';

/** A gateway being served, by this process or by workers. */
export interface ServedGateway extends ServedAddresses {
  /** Serves another configuration; rejects and keeps the current one if that fails. */
  apply(next: LoadedConfig): Promise<void>;
  /** Writes the plans and accounts of a configuration to the store. */
  seed(next: LoadedConfig): Promise<void>;
  stop(): Promise<void>;
}

interface ReloadOptions {
  readonly current: LoadedConfig;
  readonly read: () => Promise<ConfigFile>;
  readonly target: Pick<ServedGateway, 'apply' | 'seed'>;
  readonly logger: Logger;
}

/** Reloads the configuration on request, and keeps the current one if the new one is rejected. */
export class Reloader {
  readonly #options: ReloadOptions;
  #current: LoadedConfig;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isStopped = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#current = options.current;
  }

  /** The configuration being served. */
  get current(): LoadedConfig {
    return this.#current;
  }

  /** Starts a reload; if one is running, another follows it. */
  request(): void {
    if (this.#isStopped) return;
    this.#isRequested = true;
    this.#running ??= this.#run();
  }

  /** Prevents further reloads and waits for a running one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isRequested = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#reload();
    }
    this.#running = undefined;
  }

  async #reload(): Promise<void> {
    const { read, target, logger } = this.#options;
    try {
      const { loaded, placeOf } = await read();
      const { config } = loaded;
      refuseInvalid(findRestartOnly(this.#current.config, config), placeOf);
      await target.apply(loaded);
      this.#current = loaded;
      logger.level = config.log;
      logger.info({ networks: config.networks.map(({ name }) => name) }, 'configuration reloaded');
      await target.seed(loaded).catch((error: unknown) => {
        logger.error(
          { err: error },
          'plans and accounts were not written to the store; reload again to retry',
        );
      });
    } catch (error) {
      logger.error(
        isForOperator(error) ? { problems: error.message.split('\n') } : { err: error },
        'reload rejected; keeping the current configuration',
      );
    }
  }
}

const restartOnly = ['store', 'ops', 'docs'] as const;
export const restartOnlyLimits: readonly LimitName[] = ['store_wait_ms', 'lease_ttl_ms'];

/** Returns the changed settings that a running gateway cannot apply. */
export function findRestartOnly(current: Config, next: Config): InvalidSetting[] {
  const changed: InvalidSetting[] = [];
  const compare = (path: readonly PropertyKey[], before: unknown, after: unknown): void => {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    changed.push({ path, what: 'a reload cannot change this setting; restart, or change it back' });
  };
  for (const name of restartOnly) compare([name], current[name], next[name]);
  for (const name of restartOnlyLimits) {
    compare(['limits', name], current.limits[name], next.limits[name]);
  }
  const networks = new Map(current.networks.map((network) => [keyOf(network), network]));
  for (const [index, network] of next.networks.entries()) {
    const same = networks.get(keyOf(network));
    if (same === undefined) continue;
    const path = ['networks', index, 'listen', 'tls'];
    compare(path, same.listen.tls !== undefined, network.listen.tls !== undefined);
  }
  return changed;
}
