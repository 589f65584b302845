import type { Config } from '../config/schema.ts';
import { ownSite } from '../docs/site.ts';
import { serveDocs } from '../docs/serve-docs.ts';
import { serveOperations, type Operations } from '../ops/operations.ts';
import { authorityOf, type RunningNetwork } from './addresses.ts';
import type { GatewayDependencies } from './dependencies.ts';
import type { Closers } from './lifecycle.ts';
import { explainListenError } from './start-error.ts';

interface ListeningPort {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves health, readiness and metrics; resolves to the address. */
export function openOperations(
  address: Config['ops'],
  operations: Operations,
  {
    portSetting,
    closers,
  }: Pick<GatewayDependencies, 'portSetting'> & { readonly closers: Closers },
): Promise<string> {
  return openPort(serveOperations(address, operations), {
    ...address,
    setting: portSetting('ops'),
    closers,
  });
}

/** Serves the documentation site if the configuration asks for it; resolves to its address. */
export async function openDocs(
  { docs: address }: Config,
  networks: readonly RunningNetwork[],
  dependencies: GatewayDependencies & { readonly closers: Closers },
): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const { protocol, demoKey, portSetting, docsReady, logger, closers } = dependencies;
  const key = demoKey ?? '<API_KEY>';
  const { host, port, folder = ownSite } = address;
  const serving = serveDocs({
    host,
    port,
    folder,
    ...(docsReady === undefined ? {} : { ready: docsReady }),
    networks: networks.map(({ name, family, http, ws }) => ({
      name,
      family,
      http: `${http}/v3/${key}`,
      ws: `${ws}/ws/v3/${key}`,
    })),
    demoKey,
    document: protocol.document,
    onFailure: (error) => logger.warn({ err: error, folder }, 'documentation site unavailable'),
  });
  return openPort(serving, { host, port, setting: portSetting('docs'), closers });
}

async function openPort(
  listening: Promise<ListeningPort>,
  address: {
    readonly host: string;
    readonly port: number;
    readonly setting: string;
    readonly closers: Closers;
  },
): Promise<string> {
  const server = await explainListenError(listening, address);
  address.closers.add(() => server.close());
  return `http://${authorityOf(address.host, server.port)}/`;
}
