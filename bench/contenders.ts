import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type Child } from './child-process.ts';
import { KEY, specgateConfig } from './specgate-config.ts';

export interface Setting {
  /** Address of the fake node, for HTTP; with `ws:` in front it is that for WebSocket. */
  readonly node: string;
  /** For files; removed by the caller. */
  readonly folder: string;
}

/** A server under test. */
export interface Contender {
  readonly name: string;
  start(setting: Setting): Promise<Running>;
}

export interface Running {
  readonly server: Child;
  /** Where callers post to. */
  readonly url: string;
}

/** The server that the ratios refer to. */
export const BASELINE = 'bare pass-through';

export const contenders: readonly Contender[] = [
  { name: BASELINE, start: ({ node }) => startServer('servers/pass-through.ts', node) },
  {
    name: 'specgate, http upstream',
    start: ({ node, folder }) => startSpecgate(node, folder),
  },
  {
    name: 'specgate, ws upstream',
    start: ({ node, folder }) => startSpecgate(node.replace(/^http/, 'ws'), folder),
  },
  {
    name: '@open-rpc/server-js',
    start: ({ node }) => startServer('servers/open-rpc-router.ts', node),
  },
];

export function fileAt(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

const METERED = ['--import', new URL('servers/cpu-meter.ts', import.meta.url).href];

async function startServer(path: string, node: string): Promise<Running> {
  const server = await startChild(path, [...METERED, fileAt(path), node]);
  return { server, url: server.firstLine };
}

/** Starts the gateway as an operator does. */
export async function startSpecgate(nodeUrl: string, folder: string): Promise<Running> {
  const own = await mkdtemp(join(folder, 'specgate-'));
  const config = join(own, 'specgate.yaml');
  await writeFile(config, specgateConfig(nodeUrl, own));
  const args = [fileAt('../bin/specgate.js'), 'serve', '--config', config, '--format', 'json'];
  const server = await startChild('specgate serve', [...METERED, ...args]);
  const { networks } = JSON.parse(server.firstLine) as { networks: readonly { http: string }[] };
  return { server, url: `${networks[0]!.http}/v3/${KEY}` };
}
