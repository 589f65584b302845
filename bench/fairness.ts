import { setTimeout as wait } from 'node:timers/promises';
import { fileAt, startSpecgate } from './contenders.ts';
import { startChild, type Child } from './child-process.ts';
import type { Driven, Load } from './load/drive.ts';
import { FLOOD_KEY, KEY } from './specgate-config.ts';
import { formatRows } from './table.ts';
import { workloads } from './workloads.ts';

/** The latency and the success rate of one account. */
export interface FairnessRow {
  readonly name: string;
  readonly ms_per_call: number;
  readonly answered_percent: number;
}

/** Time the node takes for a call: long compared with the gateway's. */
const NODE_MS = 100;
const VICTIM_CONNECTIONS = 8;
/** By batches of 20: ten times the calls that the gateway has at one node at a time. */
const FLOOD_CONNECTIONS = 64;
/** Time in which the flood fills the node and its queue. */
const FLOODED_MS = 10 * NODE_MS;

/**
 * Serves an account alone and then beside another one that floods the same slow node. Rejects with
 * the reason of `signal` when that fires.
 */
export async function measureFairness(
  { window_ms, folder }: { readonly window_ms: number; readonly folder: string },
  signal: AbortSignal,
): Promise<readonly FairnessRow[]> {
  const started: Child[] = [];
  const start = async (name: string, ...args: string[]): Promise<Child> => {
    signal.throwIfAborted();
    const child = await startChild(name, [fileAt(name), ...args]);
    started.push(child);
    return child;
  };
  try {
    const node = await start('node/serve.ts', String(NODE_MS));
    const [victim, flood] = [await start('load/serve.ts'), await start('load/serve.ts')];
    const { child, url } = await startSpecgate(node.firstLine, folder);
    started.push(child!);
    const [small, batch] = workloads as [(typeof workloads)[0], (typeof workloads)[0]];
    const load: Load = { url, ...small, window_ms, connections: VICTIM_CONNECTIONS };
    const alone = await victim.ask<Driven>('drive', load);
    signal.throwIfAborted();
    const flooding = flood.ask<Driven>('drive', {
      url: url.replace(KEY, FLOOD_KEY),
      body: batch.body,
      min_bytes: 0,
      window_ms: window_ms + 2 * FLOODED_MS,
      connections: FLOOD_CONNECTIONS,
    });
    await wait(FLOODED_MS, undefined, { signal });
    const beside = await victim.ask<Driven>('drive', load);
    await flooding;
    return [toRow('alone', alone), toRow('beside a flood', beside)];
  } finally {
    await Promise.all(started.map((child) => child.stop()));
  }
}

function toRow(name: string, { requests, failures, elapsed_ms }: Driven): FairnessRow {
  return {
    name,
    ms_per_call: (elapsed_ms * VICTIM_CONNECTIONS) / requests,
    answered_percent: (100 * (requests - failures)) / requests,
  };
}

/** The rows as text, with ratios to the first. */
export function renderFairness(rows: readonly FairnessRow[]): string {
  const [alone] = rows;
  const lines = rows.map(({ name, ms_per_call, answered_percent }) => [
    `  ${name}`,
    ms_per_call.toFixed(1),
    (ms_per_call / alone!.ms_per_call).toFixed(2),
    `${answered_percent.toFixed(1)} %`,
  ]);
  const head = [`one account, a node of ${NODE_MS} ms`, 'ms/call', 'ratio', 'answered'];
  return formatRows([head, ...lines]);
}
