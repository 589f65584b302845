import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './child-process.ts';
import { contenders, fileAt, BASELINE, HTTP, WS, type Setting } from './contenders.ts';
import type { SlowReading } from './load/slow-readers.ts';
import { format, formatRows } from './table.ts';
import { workloads } from './workloads.ts';

/** How much memory a server needs for callers that read large results slowly. */
export interface MemoryRow {
  readonly name: string;
  readonly growth_bytes: number;
  readonly read_bytes: number;
}

export const READERS = 32;
const WARM_UP_MS = 1_000;
const WATCH_MS = 20;
const RESULT = '1 MB result';

/** Measures each server in a process of its own: one that has served much has memory left over. */
export async function measureMemory(
  { window_ms, ...setting }: Setting & { readonly window_ms: number },
  signal: AbortSignal,
): Promise<readonly MemoryRow[]> {
  const rows: MemoryRow[] = [];
  for (const name of [BASELINE, HTTP, WS]) {
    signal.throwIfAborted();
    rows.push({ name, ...(await measureOne(name, setting, window_ms)) });
  }
  return rows;
}

async function measureOne(
  name: string,
  setting: Setting,
  window_ms: number,
): Promise<Omit<MemoryRow, 'name'>> {
  const load = await startChild('load', [fileAt('load/serve.ts')]);
  const { url, child, stop } = await contenders.find((each) => each.name === name)!.start(setting);
  const { body } = workloads.find((workload) => workload.name === RESULT)!;
  const read = (readers: number, for_ms: number): Promise<number> => {
    const order: SlowReading = { url, body, readers, window_ms: for_ms };
    return load.ask<number>('readSlowly', order);
  };
  const rss = (): Promise<number> => child!.ask<number>('rss_bytes');
  try {
    await read(1, WARM_UP_MS);
    const before = await rss();
    let peak = before;
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        peak = Math.max(peak, await rss());
        await wait(WATCH_MS);
      }
    })();
    const read_bytes = await read(READERS, window_ms).finally(() => over.abort());
    await watching;
    return { growth_bytes: peak - before, read_bytes };
  } finally {
    await Promise.all([load.stop(), stop()]);
  }
}

const megabytes = (bytes: number): string => format(bytes / 2 ** 20, 1);

export function renderMemory(rows: readonly MemoryRow[]): string {
  const lines = rows.map(({ name, growth_bytes, read_bytes }) => [
    `  ${name}`,
    megabytes(growth_bytes),
    megabytes(growth_bytes / READERS),
    megabytes(read_bytes),
  ]);
  const head = [`${READERS} slow readers of 1 MB results`, 'memory MB', 'per reader', 'read MB'];
  return formatRows([head, ...lines]);
}
