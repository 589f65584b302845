import type { Config } from '../config/schema.ts';
import { serveDocs } from '../docs/serve-docs.ts';
import { ownSite } from '../docs/site.ts';
import { serveOperations, type Operations } from '../ops/operations.ts';
import type { MessageTurns } from '../time/message-turns.ts';
import { authorityOf, type RunningNetwork } from './addresses.ts';
import type { GatewayDependencies } from './dependencies.ts';
import type { Closers } from './lifecycle.ts';
import { explainListenError } from './start-error.ts';

type Port = Pick<GatewayDependencies, 'portSetting'> & { readonly closers: Closers };

/** Serves health, readiness and metrics; resolves to the address. */
export function openOperations(
  address: Config['ops'],
  operations: Operations,
  port: Port,
): Promise<string> {
  return openPort(serveOperations(address, operations), { ...address, listener: 'ops' }, port);
}

/** Requests to the docs take turns together, apart from those to the networks. No account has this id. */
const DOCS = 'docs port';

/** Serves the documentation site if the configuration asks for it; resolves to its address. */
export async function openDocs(
  { docs: address }: Config,
  networks: readonly RunningNetwork[],
  dependencies: GatewayDependencies & Port & { readonly turns: MessageTurns },
): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const { protocol, demoKey, docsReady, logger, turns } = dependencies;
  const key = demoKey ?? '<API_KEY>';
  const { host, port, folder = ownSite } = address;
  const serving = serveDocs({
    host,
    port,
    folder,
    ...(docsReady && { ready: docsReady }),
    networks: networks.map(({ name, family, http, ws }) => ({
      name,
      family,
      http: `${http}/v3/${key}`,
      ws: `${ws}/ws/v3/${key}`,
    })),
    demoKey,
    document: protocol.document,
    onFailure: (error) => logger.warn({ err: error, folder }, 'documentation site unavailable'),
    turn: () => turns.wait(DOCS),
  });
  return openPort(serving, { host, port, listener: 'docs' }, dependencies);
}

async function openPort(
  listening: Promise<{ readonly port: number; close(): Promise<void> }>,
  { host, port, listener }: { host: string; port: number; listener: string },
  { portSetting, closers }: Port,
): Promise<string> {
  const setting = portSetting(listener);
  const server = await explainListenError(listening, { host, port, setting });
  closers.add(() => server.close());
  return `http://${authorityOf(host, server.port)}/`;
}
