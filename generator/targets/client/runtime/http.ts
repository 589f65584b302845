import { readAddress } from './address.ts';
import { type ReadableBody, readText } from './bounded-text.ts';
import { readCount } from './bounds.ts';
import { TransportError } from './client-error.ts';
import { encodeCall } from './envelope.ts';
import { toAnswer } from './http-answer.ts';
import type { ResponseInfo, Transport } from './transport.ts';
import { withLimit } from './with-limit.ts';

/** The part of the standard `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<ResponseInfo & ReadableBody & { readonly ok: boolean }>;

export interface HttpOptions {
  /** The service's address, with the API key where the service wants it. */
  readonly url: string | URL;
  /** Another `fetch` than the runtime's own. */
  readonly fetch?: Fetch | undefined;
  /** Sent with each request beside the content type. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Calls under way at once (64); the others wait. */
  readonly maxInFlight?: number | undefined;
  /** Calls that may wait (10,000); one more is refused. */
  readonly maxWaiting?: number | undefined;
  /** The largest answer read, in bytes (256 MiB). */
  readonly maxAnswerBytes?: number | undefined;
}

/**
 * JSON-RPC over HTTP: a POST per call.
 * @throws TypeError when an option cannot be used.
 */
export function http(options: HttpOptions): Transport {
  const address = readAddress(options.url, ['https:', 'http:']);
  const maxAnswerBytes = readCount('maxAnswerBytes', options.maxAnswerBytes ?? 268_435_456);
  const headers = { 'content-type': 'application/json', ...lowerCased(options.headers) };
  let lastId = 0;

  const post: Transport = async (call, { signal }) => {
    lastId += 1;
    const id = lastId;
    const body = encodeCall(call, id);
    try {
      // Looked up at each call, so that a fetch put in place later (a test's, a worker's) is used.
      const fetch: Fetch = options.fetch ?? globalThis.fetch;
      const response = await fetch(address.href, { method: 'POST', headers, body, signal });
      const text = await readText(response, maxAnswerBytes);
      return toAnswer(call, { id, text, response, where: address.shown, maxAnswerBytes });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof TransportError) throw error;
      throw unreachable(address.shown, error);
    }
  };

  return withLimit(post, {
    maxInFlight: readCount('maxInFlight', options.maxInFlight ?? 64),
    maxWaiting: readCount('maxWaiting', options.maxWaiting ?? 10_000),
    where: address.shown,
  });
}

function unreachable(where: string, cause: unknown): TransportError {
  return new TransportError('unreachable', {
    what: 'the request failed before an answer came',
    where,
    mend: 'check the address and the network; `cause` tells more',
    cause,
  });
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
