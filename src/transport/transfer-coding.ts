import type { IncomingMessage } from 'node:http';

/**
 * What is wrong with how the body of a request is transferred: of the codings of RFC 9112, section 7,
 * only `chunked` is undone here, so under any other the body would be taken for what it is not.
 */
export function findCodingFlaw({
  headers: { 'transfer-encoding': coding },
}: Pick<IncomingMessage, 'headers'>): string | undefined {
  if (coding === undefined || /^\s*chunked\s*$/i.test(coding)) return undefined;
  return 'the Transfer-Encoding is not understood; send chunked alone, or a Content-Length';
}
