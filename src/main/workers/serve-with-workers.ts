import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Config } from '../../config/schema.ts';
import type { Protocol } from '../../gateway/protocol.ts';
import { portSettingIn } from '../addresses.ts';
import { openOperations } from '../docs-and-ops.ts';
import { Closers } from '../lifecycle.ts';
import type { LoadedConfig } from '../load-config.ts';
import type { Logger } from '../logger.ts';
import type { ServedGateway } from '../reload.ts';
import { limitsFor } from '../runtime-config.ts';
import { WorkerPool } from './worker-pool.ts';

export interface WorkersOptions {
  readonly workers: number;
  readonly file: string;
  readonly protocol: Protocol;
  readonly logger: Logger;
}

/** Serves a configuration with several worker processes; this process serves the operations port. */
export async function serveWithWorkers(
  loaded: LoadedConfig,
  { workers, file, protocol, logger }: WorkersOptions,
): Promise<ServedGateway> {
  const assignPorts = createPortAssigner();
  const withPorts = async ({ config, keyPairs }: LoadedConfig): Promise<LoadedConfig> => ({
    config: await assignPorts(config),
    keyPairs,
  });
  const pool = new WorkerPool(await withPorts(loaded), {
    workers,
    file,
    logger,
    drainOf_ms: ({ config }) => limitsFor(config, protocol).drain_ms,
    random: Math.random,
  });
  const closers = new Closers();
  const portSetting = portSettingIn(file);
  const ops = await openOperations(loaded.config.ops, pool.operations, { portSetting, closers });
  try {
    const { networks, docs } = await pool.start();
    // Closed before the operations port, which reports the drain until the last worker has exited.
    closers.add(() => pool.stop());
    return {
      networks,
      docs,
      ops,
      apply: async (next) => pool.apply(await withPorts(next)),
      seed: (next) => pool.seed(next),
      stop: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/**
 * Returns a function that replaces each port 0 by a free port, which stays the same for a network
 * from one configuration to the next: all workers must listen on the same ports.
 */
function createPortAssigner(): (config: Config) => Promise<Config> {
  const assigned = new Map<string, number>();
  const assign = async <T extends { readonly host: string; readonly port: number }>(
    name: string,
    address: T,
  ): Promise<T> => {
    if (address.port !== 0) return address;
    const port = assigned.get(name) ?? (await findFreePort(address.host));
    assigned.set(name, port);
    return { ...address, port };
  };
  return async (config) => {
    const networks = [];
    for (const network of config.networks) {
      const listen = await assign(`network ${network.name}`, network.listen);
      networks.push({ ...network, listen });
    }
    const { docs } = config;
    return { ...config, networks, ...(docs && { docs: await assign('docs', docs) }) };
  };
}

async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
