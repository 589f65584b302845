import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../gateway/authenticator.ts';

/** Creates request ids: `prefix` identifies the instance, a counter the request. */
export function createRequestIds(prefix: string): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}-${last.toString(36)}`;
  };
}

/** Safe in a log line and in a header. */
const SAFE = /^[\w.:-]{1,64}$/;

/** No key is shorter, so shorter parts of a path are not secret. */
const MIN_KEY_LENGTH = 4;

/**
 * Returns the request id that a caller sent in X-Request-Id, so that both sides log the same one.
 * Returns undefined when it is not 1 to 64 letters, digits, `-`, `_`, `.` or `:`, or when it contains
 * a part of the path, where the API key is, or any other key: ids are logged, keys never.
 */
export function readRequestId(
  { headers, url = '' }: IncomingMessage,
  authenticator: Pick<Authenticator, 'isKey'>,
): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !SAFE.test(given)) return undefined;
  const isRevealing = url
    .split(/[/?&=]/)
    .filter((part) => part.length >= MIN_KEY_LENGTH)
    .some(
      (part) => given.includes(part) || (given.length >= MIN_KEY_LENGTH && part.includes(given)),
    );
  return isRevealing || containsKey(given, authenticator) ? undefined : given;
}

/** An id of more parts is not searched for keys, and is ignored. A UUID has five. */
const MAX_PARTS = 12;

/** Whether an id is or contains a key. Keys may contain the separators, too. */
function containsKey(id: string, authenticator: Pick<Authenticator, 'isKey'>): boolean {
  const ends = [...id.matchAll(/[._:-]|$/g)].map(({ index }) => index);
  if (ends.length > MAX_PARTS) return true;
  const starts = [0, ...ends.slice(0, -1).map((end) => end + 1)];
  return starts.some((start, first) =>
    ends
      .slice(first)
      .some((end) => end - start >= MIN_KEY_LENGTH && authenticator.isKey(id.slice(start, end))),
  );
}
