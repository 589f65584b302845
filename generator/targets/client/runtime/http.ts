import { readNumber, readUrl } from './bounds.ts';
import { type Answers, joinCalls, readAnswers, settleCall } from './envelope.ts';
import { TransportError, type TransportReason } from './errors.ts';
import { hasNotifications } from './facts.ts';
import type { TransportOptions } from './options.ts';
import { createQueue, type QueuedCall } from './queue.ts';
import type { ResponseHeaders, ResponseInfo, Transport } from './transport.ts';

/** The part of the standard `Response` body that is used. */
interface ReadableBody {
  readonly body: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(reason?: unknown): Promise<unknown>;
    };
  } | null;
  /** A custom `fetch` without a stream may apply the limit itself and return null above it. */
  text(maxBytes?: number): Promise<string | null>;
}

/** The part of the standard `fetch` that is used. It must support the signal. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<
  ReadableBody & {
    readonly ok: boolean;
    readonly status: number;
    readonly headers: ResponseHeaders;
  }
>;

export interface HttpOptions<Wide = never> extends TransportOptions<Wide> {
  /** Replaces the runtime's `fetch` (in Node, a client based on `node:http`). */
  readonly fetch?: Fetch | undefined;
  /** Headers of each request; a function is called for each request. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>>)
    | undefined;
  /** Maximum number of concurrent requests (default: 64); further calls wait. */
  readonly maxInFlight?: number | undefined;
}

/**
 * Creates a transport over HTTP: a POST for each call, or for each batch of concurrent calls.
 * @throws TypeError when an option is invalid.
 */
export function http<Wide = never>(options: HttpOptions<Wide>): Transport<Wide> {
  const { json = JSON, headers: own } = options;
  const { href, origin, pathname } = readUrl(options.url, 'http');
  const maxBytes = readNumber(options, 'maxResponseBytes', 2 ** 28, 1);

  const post = async (calls: QueuedCall[], signal: AbortSignal): Promise<void> => {
    let answers: Answers | undefined;
    let response: ResponseInfo | null = null;
    let text: string | null | undefined;
    // The reason if the next step fails.
    let reason: TransportReason = 'unreachable';
    let cause: unknown;
    try {
      const received = await (options.fetch ?? (fetch as Fetch))(href, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Before TypeScript 6 the library `dom` does not declare headers as iterable.
          ...Object.fromEntries(
            new Headers(typeof own === 'function' ? own() : own) as unknown as Iterable<
              [string, string]
            >,
          ),
        },
        body: joinCalls(calls),
        signal,
        // A redirect to another host would carry the headers, which may hold a key.
        redirect: 'manual',
      });
      const { ok, status, headers } = received;
      text = await readText(received, maxBytes);
      if (status === 413 && calls[1]) {
        await post(calls.splice(0, calls.length >> 1), signal);
        return post(calls, signal);
      }
      response = { status, headers, calls: calls.length };
      if (text === null) reason = 'response_too_large';
      else {
        reason = 'http_status';
        if (ok) reason = 'not_json';
        answers = readAnswers(json.parse(text));
        if (ok) reason = 'not_json_rpc';
      }
    } catch (error) {
      cause = error;
    }
    let error: TransportError | undefined;
    // Calls that fail together share one error, so that they are retried together.
    const fail = () =>
      (error ??= new TransportError(
        reason,
        `${origin} ${
          text === null
            ? `exceeded maxResponseBytes (${maxBytes})`
            : response
              ? // A page may repeat the path, which may hold a key, any number of times.
                `sent HTTP ${response.status}: ${json.stringify(text!.split(pathname, 100).join('/').slice(0, 99))}`
              : 'is unreachable'
        }`,
        { response, cause, retryable: !response },
      ));
    for (const each of calls) {
      if (hasNotifications && each.call.notification && reason.startsWith('not_json')) {
        each.settle(null, { result: undefined, response });
      } else settleCall(each, answers, response, fail);
    }
  };

  return createQueue(options, 64, (calls, release) => {
    const controller = new AbortController();
    let remaining = calls.length;
    void post(calls, controller.signal).then(release);
    return () => --remaining || controller.abort();
  });
}

/** Reads a body as UTF-8, or returns null if it is larger than `maxBytes`. */
export async function readText(response: ReadableBody, maxBytes: number): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return response.text(maxBytes);
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (let value; (value = (await reader.read()).value);) {
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
