import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';

/** The body, or that it is too large, or that the client left before its end. */
export type Body = Buffer | 'too_large' | 'gone';

/**
 * Reads a request's body of at most `request_bytes`. A larger one is read on and thrown away up to
 * `discarded_bytes`, since a client that is still sending may not read the answer. A client that
 * waits to be asked for it is asked, unless it is known to be too large (RFC 9110, section 10.1.1).
 */
export function readBody(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  limits: { readonly request_bytes: number; readonly discarded_bytes: number },
): Promise<Body> {
  if (isAwaited(request)) {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > limits.request_bytes) return Promise.resolve('too_large');
    response.writeContinue();
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limits.request_bytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (length > limits.discarded_bytes) resolve('too_large');
    });
    request.on('end', () => {
      if (length > limits.request_bytes) return resolve('too_large');
      return resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on('close', () => resolve('gone'));
    request.on('error', () => resolve('gone'));
  });
}

function isAwaited({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && /(?:^|\W)100-continue(?:\W|$)/i.test(headers.expect ?? '');
}
