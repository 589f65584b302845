import { type ReadableBody, readText } from './body.ts';
import { atLeast } from './bounds.ts';
import { TransportError, type TransportReason, type TransportTrouble } from './client-error.ts';
import { type Answers, excerpt, isError, joinCalls, readAnswers, settle } from './envelope.ts';
import { originOf } from './origin.ts';
import { createQueue, type QueuedCall } from './queue.ts';
import { readQueueOptions, type TransportOptions } from './transport-options.ts';
import { isPassing } from './rpc-error.ts';
import type { ResponseHeaders, ResponseInfo, Transport } from './transport.ts';

/** The part of the standard `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<
  ReadableBody & {
    readonly ok: boolean;
    readonly status: number;
    readonly headers: ResponseHeaders;
  }
>;

export interface HttpOptions<Wide = never> extends TransportOptions<Wide> {
  /** Another `fetch` than the runtime's own. */
  readonly fetch?: Fetch | undefined;
  /** Sent with each request beside the content type; a function is asked for each. */
  readonly headers?:
    Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined;
  /** Requests under way at once (64); calls beyond that wait. */
  readonly maxInFlight?: number | undefined;
  /** The largest answer read, in bytes (256 MiB). */
  readonly maxAnswerBytes?: number | undefined;
}

/**
 * JSON-RPC over HTTP: a POST per call, or per batch of calls made at once.
 * @throws TypeError when an option cannot be used.
 */
export function http<Wide = never>(options: HttpOptions<Wide>): Transport<Wide> {
  const where = originOf(options.url, 'http');
  const maxBytes = atLeast(1, 'maxAnswerBytes', options.maxAnswerBytes ?? 268_435_456);
  const queueOptions = readQueueOptions(options, 64);

  const post = async (calls: readonly QueuedCall[], signal: AbortSignal): Promise<void> => {
    let response: ResponseInfo | undefined;
    const fail = (reason: TransportReason, what: string, trouble: TransportTrouble = {}): void => {
      const error = new TransportError(reason, `${where} ${what}`, { ...trouble, response });
      for (const { reject } of calls) reject(error);
    };
    let ok: boolean;
    let text: string | null;
    try {
      const { fetch = globalThis.fetch as Fetch, headers } = options;
      const received = await fetch(String(options.url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...Object.fromEntries(new Headers(typeof headers === 'function' ? headers() : headers)),
        },
        body: joinCalls(calls),
        signal,
      });
      ok = received.ok;
      response = { status: received.status, headers: received.headers, calls: calls.length };
      text = await readText(received, maxBytes);
    } catch (cause) {
      return fail('unreachable', 'gave no answer: check the network', { cause, retryable: true });
    }
    const { status } = response;
    if (status === 413 && calls.length > 1) {
      const half = calls.length >> 1;
      await post(calls.slice(0, half), signal);
      return post(calls.slice(half), signal);
    }
    if (text === null) return fail('answer_too_large', `sent over ${maxBytes} bytes: ask for less`);
    let answers: Answers | undefined;
    let trouble: TransportTrouble = { retryable: isPassing(status) };
    try {
      answers = readAnswers(queueOptions.json.parse(text));
    } catch (cause) {
      trouble = { ...trouble, cause };
    }
    const unnamed = answers?.get(null);
    for (const each of calls) {
      const answer = answers?.get(each.id) ?? (isError(unnamed) ? unnamed : undefined);
      if (ok && each.call.notification) each.resolve({ result: undefined, response });
      else if (isError(answer) || (ok && answers)) settle(each, answer, { where, response });
      else if (ok) fail('not_json', `sent no JSON: ${excerpt(text)}`, trouble);
      else fail('http_status', `answered HTTP ${status}: ${excerpt(text)}`, trouble);
    }
  };

  return createQueue({ ...queueOptions, perCall: false }, (calls) => {
    const controller = new AbortController();
    void post(calls, controller.signal);
    return (_, isLast) => isLast && controller.abort();
  });
}
