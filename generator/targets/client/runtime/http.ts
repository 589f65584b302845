import { type ReadableBody, readText } from './body.ts';
import { readNumbers } from './bounds.ts';
import { TransportError, type TransportReason, type TransportTrouble } from './client-error.ts';
import { type Answers, excerpt, isError, joinCalls, readAnswers, settle } from './envelope.ts';
import { hasNotifications } from './facts.ts';
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
  const { maxAnswerBytes } = readNumbers(options, { maxAnswerBytes: [1, 268_435_456] });
  const queueOptions = readQueueOptions(options, 64);

  const exchange = async (calls: readonly QueuedCall[], signal: AbortSignal): Promise<void> => {
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
    const { ok, status } = received;
    const response: ResponseInfo = { status, headers: received.headers, calls: calls.length };
    const text = await readText(received, maxAnswerBytes);
    if (status === 413 && calls.length > 1) {
      const half = calls.length >> 1;
      await post(calls.slice(0, half), signal);
      return post(calls.slice(half), signal);
    }
    const fail = (reason: TransportReason, what: string, trouble?: TransportTrouble) =>
      new TransportError(reason, `${where} ${what}`, { ...trouble, response });
    if (text === null) throw fail('answer_too_large', `sent over ${maxAnswerBytes} bytes`);
    let answers: Answers | undefined;
    let cause: unknown;
    try {
      answers = readAnswers(queueOptions.json.parse(text));
    } catch (error) {
      cause = error;
    }
    const unnamed = answers?.get(null);
    const trouble = !ok
      ? fail('http_status', `sent HTTP ${status}: ${excerpt(text)}`, {
          retryable: isPassing(status),
        })
      : answers
        ? undefined
        : fail('not_json', `sent no JSON: ${excerpt(text)}`, { cause });
    for (const each of calls) {
      const answer = answers?.get(each.id) ?? (isError(unnamed) ? unnamed : undefined);
      if (hasNotifications && ok && each.call.notification) {
        each.resolve({ result: undefined, response });
      } else if (trouble && !isError(answer)) each.reject(trouble);
      else settle(each, answer, where, response);
    }
  };

  const post = (calls: readonly QueuedCall[], signal: AbortSignal): Promise<void> =>
    exchange(calls, signal).catch((cause: unknown) => {
      const error =
        cause instanceof TransportError
          ? cause
          : new TransportError('unreachable', `${where} gave no answer`, {
              cause,
              retryable: true,
            });
      for (const { reject } of calls) reject(error);
    });

  return createQueue({ ...queueOptions, perCall: false }, (calls) => {
    const controller = new AbortController();
    void post(calls, controller.signal);
    return (_, isLast) => isLast && controller.abort();
  });
}
