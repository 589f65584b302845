import { type ReadableBody, readText } from './body.ts';
import { readNumber } from './bounds.ts';
import { TransportError, type TransportReason } from './client-error.ts';
import { type Answers, joinCalls, readAnswers, settleCall } from './envelope.ts';
import { hasNotifications } from './facts.ts';
import { readUrl } from './origin.ts';
import { createQueue, type QueuedCall } from './queue.ts';
import type { TransportOptions } from './transport-options.ts';
import type { ResponseHeaders, ResponseInfo, Transport } from './transport.ts';

/**
 * The part of the standard `fetch` that is used. It must heed the signal: a request keeps its place
 * under way until it ends.
 */
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
  /** Another `fetch` than the runtime's own (in Node, than one over Node's own HTTP client). */
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
  const { json = JSON } = options;
  const { href, origin, pathname } = readUrl(options.url, 'http');
  const maxAnswerBytes = readNumber(options, 'maxAnswerBytes', 2 ** 28, 1);

  const post = async (calls: QueuedCall[], signal: AbortSignal): Promise<void> => {
    const given = options.headers;
    let answers: Answers | undefined;
    let response: ResponseInfo | null = null;
    let text: string | null | undefined;
    // What is wrong if the next step fails.
    let reason: TransportReason = 'unreachable';
    let cause: unknown;
    try {
      const received = await (options.fetch ?? (fetch as Fetch))(href, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Before TypeScript 6 the library `dom` does not say that headers can be iterated.
          ...Object.fromEntries(
            new Headers(typeof given === 'function' ? given() : given) as unknown as Iterable<
              [string, string]
            >,
          ),
        },
        body: joinCalls(calls),
        signal,
      });
      const { ok, status, headers } = received;
      text = await readText(received, maxAnswerBytes);
      if (status === 413 && calls.length > 1) {
        const rest = calls.splice(calls.length >> 1);
        await post(calls, signal);
        return post(rest, signal);
      }
      response = { status, headers, calls: calls.length };
      if (text === null) reason = 'answer_too_large';
      else {
        reason = ok ? 'not_json' : 'http_status';
        answers = readAnswers(json.parse(text));
        if (ok) reason = 'not_json_rpc';
      }
    } catch (error) {
      cause = error;
    }
    let error: TransportError | undefined;
    // The calls that failed together share an error, by which they are known to.
    const fail = () =>
      (error ??= new TransportError(
        reason,
        text === null
          ? `${origin} gave over maxAnswerBytes (${maxAnswerBytes})`
          : // A page may repeat the path, which may hold a key. Not by `excerpt`: a bundle for HTTP alone does without it.
            `${origin} gave no answer${response ? ` but HTTP ${response.status}: ${json.stringify(text!.replaceAll(pathname, '/').slice(0, 99))}` : ''}`,
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
    let left = calls.length;
    void post(calls, controller.signal).then(release);
    return () => (left -= 1) || controller.abort();
  });
}
