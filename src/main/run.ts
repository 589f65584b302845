import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readEnvironment } from '../config/environment.ts';
import { readConfig } from '../config/read-config.ts';
import { systemClock } from '../time/clock.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { startDev, type DevAddresses } from './dev.ts';
import { createLogger, type Logger } from './logger.ts';
import { protocol } from './protocol.ts';
import { StartError } from './start-error.ts';
import { startGateway, type GatewayDependencies, type RunningGateway } from './start-gateway.ts';
import { runUntilSignal } from './until-signal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Runs the development setup until a signal; resolves to the exit code. `onStarted` hears where
 * everything is. Rejects with StartError or ConfigError when it cannot start.
 */
export function runDev(
  env: Variables,
  onStarted: (addresses: DevAddresses) => void,
): Promise<number> {
  const environment = readEnvironment(env);
  const logger = createLogger(environment.SPECGATE_LOG);
  return runUntilSignal(() => startDev(environment, dependenciesWith(logger)), {
    onStarted: ({ addresses }) => onStarted(addresses),
    onFault: (fault) => logger.error({ err: fault }, 'a fault nobody caught'),
  });
}

/** Runs the gateway of a configuration file until a signal; resolves to the exit code. */
export async function runGateway(
  file: string,
  env: Variables,
  onStarted: (gateway: RunningGateway) => void,
): Promise<number> {
  const config = readConfig(await readText(file), file, env);
  const logger = createLogger(config.log);
  const portSetting = (listener: string): string =>
    listener === 'ops' || listener === 'docs'
      ? `${listener}.port in ${file}`
      : `listen.port of network ${listener} in ${file}`;
  return runUntilSignal(() => startGateway(config, { ...dependenciesWith(logger), portSetting }), {
    onStarted,
    onFault: (fault) => logger.error({ err: fault }, 'a fault nobody caught'),
  });
}

function dependenciesWith(
  logger: Logger,
): Pick<GatewayDependencies, 'protocol' | 'clock' | 'logger' | 'instance' | 'tracing'> {
  const instance = randomBytes(4).toString('hex');
  const tracing = openTracing(protocol.version);
  return { protocol, logger, clock: systemClock, instance, tracing };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${file} cannot be read (${code}); check the path given with --config`);
  }
}
