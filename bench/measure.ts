import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Child } from './child-process.ts';
import type { Running } from './contenders.ts';
import type { Driven, Load } from './load/drive.ts';
import type { Workload } from './workloads.ts';

export interface Sample {
  readonly cpu_us_per_request: number;
  readonly requests_per_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** A server under a workload, by a number of connections. */
export interface Subject {
  readonly running: Running;
  readonly workload: Workload;
  readonly connections: number;
}

/** Measures for one window; rejects when an answer was wrong. */
export async function measure(
  load: Child,
  { running, workload, connections }: Subject,
  { window_ms, rate_per_s }: Pick<Load, 'window_ms' | 'rate_per_s'>,
): Promise<Sample> {
  if (workload.transport === 'none') return running.child!.ask<Sample>('run', window_ms);
  const { body, min_bytes, isRepeated } = workload;
  const url = urlOf(running, workload);
  const order: Load = { url, body, min_bytes, window_ms, connections, rate_per_s, isRepeated };
  const before_us = await running.cpu_us();
  const { requests, elapsed_ms, failures, ...latencies } = await load.ask<Driven>('drive', order);
  const after_us = await running.cpu_us();
  if (failures > 0) {
    throw new Error(`${workload.name}: ${failures} of ${requests} answers of ${url} were wrong`);
  }
  return {
    cpu_us_per_request: (after_us - before_us) / requests,
    requests_per_s: (requests * 1000) / elapsed_ms,
    ...latencies,
  };
}

function urlOf({ url, webSocketUrl }: Running, { transport }: Workload): string {
  return transport === 'webSocket' ? webSocketUrl! : url;
}

const CHECK_MS = 15_000;

/** Rejects unless the server answers the workload correctly: a wrong answer may be cheaper. */
export async function check(running: Running, workload: Workload): Promise<void> {
  const { name, body, isRight, transport } = workload;
  if (transport === 'none') return;
  const ask = transport === 'webSocket' ? askOverWebSocket : askOverHttp;
  const { status, text } = await ask(urlOf(running, workload), body);
  if (status === 200 && isRight(JSON.parse(text))) return;
  throw new Error(`${name} is answered ${status}: ${text.slice(0, 300)}`);
}

interface CheckedAnswer {
  readonly status: number;
  readonly text: string;
}

async function askOverHttp(url: string, body: string): Promise<CheckedAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(CHECK_MS),
  });
  return { status: response.status, text: await response.text() };
}

async function askOverWebSocket(url: string, body: string): Promise<CheckedAnswer> {
  const signal = AbortSignal.timeout(CHECK_MS);
  const socket = new WebSocket(url);
  try {
    await once(socket, 'open', { signal });
    socket.send(body);
    const [data] = (await once(socket, 'message', { signal })) as [Buffer];
    return { status: 200, text: String(data) };
  } finally {
    socket.terminate();
  }
}
