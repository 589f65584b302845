import type { Config } from '../config/schema.ts';
import { ownSite } from '../docs/own-site.ts';
import { serveDocs } from '../docs/serve-docs.ts';
import { authorityOf } from './addresses.ts';
import type { Closers } from './closers.ts';
import { explained } from './start-error.ts';
import type { RunningNetwork } from './running-gateway.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';

/** Serves the documentation where the configuration says, if anywhere; resolves to its address. */
export async function openDocs(
  { docs: address }: Config,
  {
    running,
    dependencies,
    closers,
  }: {
    running: readonly RunningNetwork[];
    dependencies: GatewayDependencies;
    closers: Closers;
  },
): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const { protocol, demoKey, portSetting, docsReady, logger } = dependencies;
  const key = demoKey ?? '<API_KEY>';
  const { host, port, folder = ownSite } = address;
  const serving = serveDocs({
    host,
    port,
    folder,
    ...(docsReady === undefined ? {} : { ready: docsReady }),
    networks: running.map(({ name, family, http, ws }) => ({
      name,
      family,
      http: `${http}/v3/${key}`,
      ws: `${ws}/ws/v3/${key}`,
    })),
    demoKey,
    document: protocol.document,
    onFailure: (error) => logger.warn({ err: error, folder }, 'the documentation cannot be read'),
  });
  const server = await explained(serving, { host, port, setting: portSetting('docs') });
  closers.add(() => server.close());
  return `http://${authorityOf(host, server.port)}/`;
}
