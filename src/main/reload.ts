import { ConfigError } from '../config/config-error.ts';
import { describePath } from '../config/read-config.ts';
import type { LoadedConfig, ReadConfiguration } from './load-config.ts';
import type { Logger } from './logger.ts';
import { findRestartOnly } from './restart-only.ts';
import { isForOperator } from './start-error.ts';

export interface ReloadOptions {
  /** What is served when the reloader is made. */
  readonly current: LoadedConfig;
  readonly read: () => Promise<ReadConfiguration>;
  /** Serves another configuration, or throws StartError and leaves all as it was. */
  readonly apply: (next: LoadedConfig) => Promise<void>;
  /** Brings the store to the plans and accounts of a configuration. */
  readonly seed: (next: LoadedConfig) => Promise<void>;
  readonly logger: Logger;
}

/** Takes over changes of the configuration; a bad one is refused, and the one before stays. */
export interface Reloader {
  /** The configuration that is served. */
  inForce(): LoadedConfig;
  /** Reloads; when a reload is under way, once more after it. */
  request(): void;
  /** Resolves when none is under way; none begins afterwards. */
  stop(): Promise<void>;
}

export function createReloader({ current, read, apply, seed, logger }: ReloadOptions): Reloader {
  let inForce = current;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;
  const reload = async (): Promise<void> => {
    try {
      const { config, keyPairs, placeOf } = await read();
      const problems = findRestartOnly(inForce.config, config).map(({ path, what }) => ({
        where: placeOf(path),
        what: `${describePath(path)}: ${what}`,
      }));
      if (problems.length > 0) throw new ConfigError(problems);
      const next = { config, keyPairs };
      await apply(next);
      inForce = next;
      logger.level = config.log;
      const networks = config.networks.map(({ name }) => name);
      logger.info({ networks }, 'the configuration was reloaded');
      await seed(next).catch((error: unknown) => {
        logger.error({ err: error }, 'plans and accounts are not in the store; reload once more');
      });
    } catch (error) {
      const told = isForOperator(error) ? { problems: error.message.split('\n') } : { err: error };
      logger.error(told, 'the reload is refused; what was served before is served on');
    }
  };
  const run = async (): Promise<void> => {
    isAskedAgain = false;
    await reload();
    if (isAskedAgain) await run();
    else running = undefined;
  };
  return {
    inForce: () => inForce,
    request() {
      if (isStopped) return;
      isAskedAgain = true;
      running ??= run();
    },
    async stop() {
      isStopped = true;
      isAskedAgain = false;
      await running;
    },
  };
}
