import type { IncomingMessage } from 'node:http';
import type { Door } from './site.ts';

/** Names requests: `prefix` tells instances apart, the counter their requests. */
export function createRequestIds(prefix: string): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}-${last.toString(36)}`;
  };
}

/** What may stand in a log line and in a header as it is. */
const SANE = /^[\w.:-]{1,64}$/;

/** Shorter parts of a path are no secret: no key is shorter. */
const KEY_LETTERS = 4;

/**
 * The id a caller has given its request in X-Request-Id, so that both sides' logs tell of it by one
 * name. Undefined when there is none, when it is not 1 to 64 letters, digits, `-`, `_`, `.` or `:`,
 * or when it shows something of the path, where the API key is, or any other key: ids are logged,
 * keys never.
 */
export function readRequestId(
  { headers, url = '' }: IncomingMessage,
  door: Pick<Door, 'isKey'>,
): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !SANE.test(given)) return undefined;
  const isTelling = url
    .split(/[/?&=]/)
    .filter((part) => part.length >= KEY_LETTERS)
    .some((part) => given.includes(part) || (given.length >= KEY_LETTERS && part.includes(given)));
  return isTelling || holdsKey(given, door) ? undefined : given;
}

/** An id of more parts is not searched for keys, and not taken. A UUID has five. */
const MAX_PARTS = 12;

/** Whether a key is all of an id, or a part of it between separators, which a key may have as well. */
function holdsKey(id: string, door: Pick<Door, 'isKey'>): boolean {
  const ends = [...id.matchAll(/[._:-]|$/g)].map(({ index }) => index);
  if (ends.length > MAX_PARTS) return true;
  const starts = [0, ...ends.slice(0, -1).map((end) => end + 1)];
  return starts.some((start, first) =>
    ends.slice(first).some((end) => end - start >= KEY_LETTERS && door.isKey(id.slice(start, end))),
  );
}
