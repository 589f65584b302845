import { type ReadableBody, readText } from './body.ts';
import { readNumber } from './bounds.ts';
import { TransportError, type TransportReason } from './client-error.ts';
import { type Answers, excerpt, joinCalls, readAnswers, settle } from './envelope.ts';
import { hasNotifications } from './facts.ts';
import { originOf } from './origin.ts';
import { createQueue, type QueuedCall } from './queue.ts';
import type { TransportOptions } from './transport-options.ts';
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
  const { url, json = JSON } = options;
  const where = originOf(url, 'http');
  const maxAnswerBytes = readNumber(options, 'maxAnswerBytes', [1, 268_435_456]);

  const post = async (calls: readonly QueuedCall[], signal: AbortSignal): Promise<void> => {
    const { fetch = globalThis.fetch as Fetch, headers } = options;
    let answers: Answers | undefined;
    let response: ResponseInfo | null = null;
    let cause: unknown;
    // What is wrong if the next step fails.
    let trouble: readonly [TransportReason, what: string, retryable?: boolean] | undefined;
    trouble = ['unreachable', 'gave no answer', true];
    try {
      const received = await fetch(String(url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...Object.fromEntries(new Headers(typeof headers === 'function' ? headers() : headers)),
        },
        body: joinCalls(calls),
        signal,
      });
      const { ok, status } = received;
      const text = await readText(received, maxAnswerBytes);
      if (status === 413 && calls.length > 1) {
        const half = calls.length >> 1;
        await post(calls.slice(0, half), signal);
        return post(calls.slice(half), signal);
      }
      response = { status, headers: received.headers, calls: calls.length };
      if (text === null)
        trouble = ['answer_too_large', `gave over maxAnswerBytes (${maxAnswerBytes})`];
      else {
        const what = `gave no answer but HTTP ${status}: ${excerpt(text)}`;
        trouble = [ok ? 'not_json' : 'http_status', what, isPassing(status)];
        answers = readAnswers(json.parse(text));
        if (ok) trouble = undefined;
      }
    } catch (error) {
      cause = error;
    }
    const [reason, what, retryable] = trouble ?? [];
    const error =
      reason && new TransportError(reason, `${where} ${what}`, { response, retryable, cause });
    for (const each of calls) {
      if (hasNotifications && each.call.notification && (!reason || reason === 'not_json')) {
        each.resolve({ result: undefined, response });
      } else settle(each, answers, { where, response, trouble: error });
    }
  };

  return createQueue(options, { most: 64 }, (calls) => {
    const controller = new AbortController();
    void post(calls, controller.signal);
    return (_, left) => left < 1 && controller.abort();
  });
}
