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

/** Characters in a row that an id and a path do not have in common by chance. */
const MIN_RUN = 8;

/** Maximum length of a target whose parts are compared: thousands take as long as a few calls. */
const MAX_TARGET_CHARACTERS = 1_024;

/**
 * Returns the request id that a caller with a valid key sent in X-Request-Id, so that both sides log the
 * same one. Returns undefined when it is not 1 to 64 letters, digits, `-`, `_`, `.` or `:`, when it
 * contains a part of the path, where the API key is, or eight characters of it in a row, or another key
 * (ids are logged, keys never), or when the path and query are longer than 1,024 characters. Must not be
 * called for requests without a valid key: whether an id is accepted would show which keys exist.
 */
export function readRequestId(
  { headers, url = '' }: IncomingMessage,
  caller: Caller,
  authenticator: Pick<Authenticator, 'containsKey'>,
): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !SAFE.test(given) || url.length > MAX_TARGET_CHARACTERS) {
    return undefined;
  }
  const id = withoutMarks(given);
  const isRevealing = url.split(/[/?&=]/).some((part) => {
    const text = withoutMarks(part);
    // A key may be short, and mostly of marks.
    if (isPartOf(part, given) || isPartOf(given, part)) return true;
    return isPartOf(text, id) || isPartOf(id, text) || sharesRun(text, id);
  });
  return isRevealing || authenticator.containsKey(given, caller) ? undefined : given;
}

/** Returns the letters and digits of a text, in lower case: a key is known, however it is divided. */
function withoutMarks(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function isPartOf(text: string, whole: string): boolean {
  return text.length >= MIN_KEY_LENGTH && whole.includes(text);
}

/** Whether an id has characters of a part of a path in a row, such as a key without its beginning. */
function sharesRun(part: string, id: string): boolean {
  for (let from = 0; from + MIN_RUN <= part.length; from += 1) {
    if (id.includes(part.slice(from, from + MIN_RUN))) return true;
  }
  return false;
}
