import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Config } from '../../config/schema.ts';

/**
 * Makes ports of 0 into free ones, each its own, and always the same for the same network: all
 * workers have to listen at the same ports.
 */
export function createPortSettler(): (config: Config) => Promise<Config> {
  const chosen = new Map<string, number>();
  const settle = async <T extends { readonly host: string; readonly port: number }>(
    name: string,
    address: T,
  ): Promise<T> => {
    if (address.port !== 0) return address;
    const port = chosen.get(name) ?? (await findFreePort(address.host));
    chosen.set(name, port);
    return { ...address, port };
  };
  return async (config) => {
    const networks = [];
    for (const network of config.networks) {
      const listen = await settle(`network ${network.name}`, network.listen);
      networks.push({ ...network, listen });
    }
    const { docs } = config;
    return {
      ...config,
      networks,
      ...(docs === undefined ? {} : { docs: await settle('docs', docs) }),
    };
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
