import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/caller.ts';
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

/** Maximum length of a target whose parts are compared: thousands take as long as a few calls. */
const MAX_TARGET_CHARSACTERS = 1_024;

/**
 * Returns the request id that a caller with a valid key sent in X-Request-Id, so that both sides log the
 * same one. Returns undefined when it is not 1 to 64 letters, digits, `-`, `_`, `.` or `:`, when it
 * contains a part of the path, where the API key is, or another key (ids are logged, keys never), or when
 * the path and query are longer than 1,024 characters. Must not be called for requests without a valid
 * key: whether an id is accepted would show which keys exist.
 */
export function readRequestId(
  { headers, url = '' }: IncomingMessage,
  caller: Caller,
  authenticator: Pick<Authenticator, 'containsKey'>,
): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !SAFE.test(given) || url.length > MAX_TARGET_CHARSACTERS) {
    return undefined;
  }
  const isRevealing = url
    .split(/[/?&=]/)
    .filter((part) => part.length >= MIN_KEY_LENGTH)
    .some(
      (part) => given.includes(part) || (given.length >= MIN_KEY_LENGTH && part.includes(given)),
    );
  return isRevealing || authenticator.containsKey(given, caller) ? undefined : given;
}
