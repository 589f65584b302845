import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type Child } from './child-process.ts';
import { canMeterTrees, cpuOfTree_us } from './process-tree.ts';
import { isNginxInstalled, startNginx } from './servers/nginx.ts';
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
  /** Why it is left out on this machine. */
  readonly missing?: string | false;
  start(setting: Setting): Promise<Running>;
}

export interface Running {
  /** Where callers post to. */
  readonly url: string;
  /** Where callers connect to by WebSocket. */
  readonly webSocketUrl?: string;
  /** A process of Node, which answers questions and can be profiled. */
  readonly child?: Child;
  /** CPU time so far, of all processes and threads. */
  cpu_us(): Promise<number>;
  stop(): Promise<void>;
}

/** The server that the ratios refer to. */
export const BASELINE = 'bare pass-through';
/** The gateway, by how it calls the node. */
export const HTTP = 'specgate http';
export const WS = 'specgate ws';
export const WORKERS = 'specgate http 2 workers';
/** Functions of the gateway, called without a network. */
export const IN_PROCESS = 'specgate in process';

const NO_METER = !canMeterTrees && 'needs /proc to measure the CPU time of several processes';

export const contenders: readonly Contender[] = [
  { name: BASELINE, start: ({ node }) => startServer('servers/pass-through.ts', node) },
  {
    name: 'nginx',
    missing: isNginxInstalled ? NO_METER : 'not installed',
    start: async ({ node, folder }) => overTree(await startNginx(node, folder)),
  },
  { name: 'fastify + undici', start: ({ node }) => startServer('servers/fastify.ts', node) },
  { name: HTTP, start: ({ node, folder }) => startSpecgate(node, folder) },
  { name: WS, start: ({ node, folder }) => startSpecgate(node.replace(/^http/, 'ws'), folder) },
  {
    name: WORKERS,
    missing: NO_METER,
    start: async ({ node, folder }) => {
      const { child, ...running } = await startSpecgate(node, folder, '--workers', '2');
      return { ...running, ...overTree({ ...running, pid: child!.pid }) };
    },
  },
  {
    name: '@open-rpc/server-js',
    start: ({ node }) => startServer('servers/open-rpc-router.ts', node),
  },
  { name: IN_PROCESS, start: ({ folder }) => startServer('servers/in-process.ts', folder) },
];

export function fileAt(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

const METERED = ['--import', new URL('servers/meter.ts', import.meta.url).href];

async function startServer(path: string, argument: string): Promise<Running> {
  const child = await startChild(path, [...METERED, fileAt(path), argument]);
  return { url: child.firstLine, ...overChild(child) };
}

/** Starts the gateway as an operator does. */
export async function startSpecgate(
  nodeUrl: string,
  folder: string,
  ...more: readonly string[]
): Promise<Running> {
  const own = await mkdtemp(join(folder, 'specgate-'));
  const config = join(own, 'specgate.yaml');
  await writeFile(config, specgateConfig(nodeUrl, own));
  const args = [fileAt('../bin/specgate.js'), 'serve', '--config', config, '--format', 'json'];
  const meter = more.length === 0 ? METERED : [];
  const child = await startChild('specgate serve', [...meter, ...args, ...more]);
  const { networks } = JSON.parse(child.firstLine) as {
    networks: readonly { http: string; ws: string }[];
  };
  const [{ http, ws }] = networks as [{ http: string; ws: string }];
  return { url: `${http}/v3/${KEY}`, webSocketUrl: `${ws}/ws/v3/${KEY}`, ...overChild(child) };
}

function overChild(child: Child): Pick<Running, 'child' | 'cpu_us' | 'stop'> {
  return { child, cpu_us: () => child.ask<number>('cpu_us'), stop: () => child.stop() };
}

function overTree({ url, pid, stop }: Pick<Running, 'url' | 'stop'> & { pid: number }): Running {
  return { url, stop, cpu_us: async () => cpuOfTree_us(pid) };
}
