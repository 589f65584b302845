import type { IncomingMessage } from 'node:http';

const NAME = 'host';

/**
 * What is wrong with how a request names its host (RFC 9112, section 3.2): exactly one Host header,
 * which only HTTP/1.0 may leave out. Whoever reads two of them may not agree with us on which one
 * counts. Undefined: nothing is.
 */
export function findHostFlaw({
  headers,
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): string | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.0' ? undefined : 'the Host header is missing';
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === NAME.length && name.toLowerCase() === NAME) hosts += 1;
  }
  return hosts > 1 ? 'there are several Host headers' : undefined;
}
