import type { Config } from '../config/schema.ts';
import { serveDocs } from '../docs/serve-docs.ts';
import { authorityOf } from './addresses.ts';
import type { Closers } from './closers.ts';
import { explained } from './start-error.ts';
import type { GatewayDependencies, RunningNetwork } from './start-gateway.ts';

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
  const { protocol, demoKey, portSetting } = dependencies;
  const { title, version } = protocol;
  const key = demoKey ?? '<API_KEY>';
  const networks = running.map(({ http, ws, ...network }) => ({
    ...network,
    http: `${http}/v3/${key}`,
    ws: `${ws}/ws/v3/${key}`,
  }));
  const content = {
    title,
    version,
    methods: Object.values(protocol.methods),
    networks,
    demoKey,
  };
  const server = await explained(serveDocs(address, content, protocol.document), {
    ...address,
    setting: portSetting('docs'),
  });
  closers.add(() => server.close());
  return `http://${authorityOf(address.host, server.port)}/`;
}
