import { createHistogram } from 'node:perf_hooks';

export interface Load {
  /** With `ws:` callers keep a WebSocket open instead of posting. */
  readonly url: string;
  /** Text of the JSON body that every request has. */
  readonly body: string;
  readonly connections: number;
  readonly window_ms: number;
  /** A smaller answer is wrong. */
  readonly min_bytes: number;
  /**
   * Requests that are sent per second, answered or not, while a connection is free. Absent: every
   * connection sends as soon as it has its answer.
   */
  readonly rate_per_s?: number | undefined;
  /** Whether all requests are the same; otherwise hashes and block numbers change. */
  readonly isRepeated?: boolean | undefined;
}

export interface Driven {
  /** Requests answered. */
  readonly requests: number;
  readonly elapsed_ms: number;
  /** Requests that failed, or whose answers had another status than 200 or too few bytes. */
  readonly failures: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Called once per request, with the status and the length of the answer; status 0 stands for none. */
export type OnAnswer = (status: number, bytes: number) => void;

/** Sends a request as soon as a connection is free. */
export type Send = (onAnswer: OnAnswer) => void;

/** How often requests are sent that are due. */
const TICK_MS = 1;
const US_PER_MS = 1000;

/** Sends requests until the window is over; then waits for the last answers, so that all are counted. */
export function drive(send: Send, load: Load): Promise<Driven> {
  const { window_ms, connections, min_bytes, rate_per_s } = load;
  const latencies = createHistogram();
  const started_ms = performance.now();
  let sent = 0;
  let requests = 0;
  let failures = 0;
  return new Promise((resolve) => {
    const endIfDone = (elapsed_ms: number): void => {
      if (elapsed_ms < window_ms || requests < sent) return;
      const at = (percentile: number): number => latencies.percentile(percentile) / US_PER_MS;
      resolve({ requests, elapsed_ms, failures, p50_ms: at(50), p99_ms: at(99) });
    };
    const sendOne = (): void => {
      sent += 1;
      const sent_ms = performance.now();
      send((status, bytes) => {
        requests += 1;
        if (status !== 200 || bytes < min_bytes) failures += 1;
        const now_ms = performance.now();
        latencies.record(Math.max(1, Math.round((now_ms - sent_ms) * US_PER_MS)));
        const elapsed_ms = now_ms - started_ms;
        if (rate_per_s === undefined && elapsed_ms < window_ms) sendOne();
        else endIfDone(elapsed_ms);
      });
    };
    const sendDue = (rate: number): void => {
      const elapsed_ms = performance.now() - started_ms;
      const due = Math.floor((Math.min(elapsed_ms, window_ms) * rate) / 1000) - sent;
      for (let index = 0; index < due; index += 1) sendOne();
      if (elapsed_ms < window_ms) setTimeout(sendDue, TICK_MS, rate);
      else endIfDone(elapsed_ms);
    };
    if (rate_per_s !== undefined) return sendDue(rate_per_s);
    for (let index = 0; index < connections; index += 1) sendOne();
  });
}
