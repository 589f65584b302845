import type { Child } from './child-process.ts';
import type { Running } from './contenders.ts';
import type { Driven, Load } from './load/drive.ts';
import type { Workload } from './workloads.ts';

export const CONNECTIONS = 64;

export interface Sample {
  readonly cpu_us_per_request: number;
  readonly requests_per_s: number;
}

/** Measures one server under one workload for one window; rejects when an answer was wrong. */
export async function measure(
  load: Child,
  { server, url }: Running,
  { workload, window_ms }: { workload: Workload; window_ms: number },
): Promise<Sample> {
  const { body, min_bytes } = workload;
  const order: Load = { url, body, min_bytes, window_ms, connections: CONNECTIONS };
  const before_us = await server.ask<number>('cpu_us');
  const { requests, elapsed_ms, failures } = await load.ask<Driven>('drive', order);
  const after_us = await server.ask<number>('cpu_us');
  if (failures > 0) {
    throw new Error(`${workload.name}: ${failures} of ${requests} answers of ${url} were wrong`);
  }
  return {
    cpu_us_per_request: (after_us - before_us) / requests,
    requests_per_s: (requests * 1000) / elapsed_ms,
  };
}

const CHECK_MS = 15_000;

/** Rejects unless the server answers the workload correctly: a wrong answer may be cheaper. */
export async function check({ url }: Running, { name, body, isRight }: Workload): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(CHECK_MS),
  });
  const text = await response.text();
  if (response.status === 200 && isRight(JSON.parse(text))) return;
  throw new Error(`${name} is answered ${response.status}: ${text.slice(0, 300)}`);
}
