import type { StreamingOutcome, StreamingUpstream } from './upstream.ts';

/** User and password of a URL, and both as sent in a header (RFC 7617). */
export interface Credentials {
  readonly user: string;
  readonly password: string;
  readonly encoded: string;
}

/** Returns the credentials in a URL; undefined when it has none. */
export function credentialsOf(url: URL): Credentials | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const [user, password] = [decode(url.username), decode(url.password)];
  return { user, password, encoded: Buffer.from(`${user}:${password}`).toString('base64') };
}

/** URLs written by hand may contain a literal percent sign. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shorter values also occur where they are not secrets: words in a path, versions in a header or a query. */
const MIN_SECRET_CHARACTERS = 6;
const MIN_PATH_SECRET_CHARACTERS = 16;

/** Returns the credentials and keys in a URL and headers, longest first. */
export function secretsOf(url: URL, headers: Readonly<Record<string, string>>): readonly string[] {
  const { pathname, searchParams } = url;
  const values = Object.values(headers);
  const ofValues = [
    ...Object.values(credentialsOf(url) ?? {}),
    url.password,
    ...searchParams.values(),
    ...values,
    ...values.flatMap((value) => value.split(/\s+/).slice(1)),
  ].filter((value) => value.length >= MIN_SECRET_CHARACTERS);
  const inPath = pathname.split('/').filter((value) => value.length >= MIN_PATH_SECRET_CHARACTERS);
  return [...new Set([...ofValues, ...inPath])].toSorted(
    (left, right) => right.length - left.length,
  );
}

/** Removes secrets from node errors, since some nodes repeat the key they were sent. */
export function withRedaction(
  upstream: StreamingUpstream,
  secrets: readonly string[],
): StreamingUpstream {
  if (secrets.length === 0) return upstream;
  return (call, signal) =>
    upstream(call, signal).then((outcome) => {
      for (const each of call.calls ?? []) each.outcome &&= redact(each.outcome, secrets);
      return redact(outcome, secrets);
    });
}

const REDACTED = '[redacted]';

/**
 * Maximum number of strings in the data of an error. Real errors have a few. Each string is decoded, which
 * takes far longer than reading it.
 */
const MAX_STRINGS = 10_000;

function redact(outcome: StreamingOutcome, secrets: readonly string[]): StreamingOutcome {
  if (outcome.kind !== 'error') return outcome;
  const { code, message, data, rawData } = outcome.error;
  const cleanError = { code, message: redactText(message, secrets) };
  const text = rawData?.toString() ?? JSON.stringify(data);
  if (text === undefined) return { ...outcome, error: cleanError };
  const cleanText = redactJson(text, secrets);
  if (cleanText === text) return { ...outcome, error: { ...outcome.error, ...cleanError } };
  if (cleanText === undefined) return { ...outcome, error: { ...cleanError, data: REDACTED } };
  const error = { ...cleanError, data: JSON.parse(cleanText) as unknown };
  if (rawData === undefined) return { ...outcome, error };
  return { ...outcome, error: { ...error, rawData: Buffer.from(cleanText) } };
}

function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
}

/** Removes secrets from JSON text; returns undefined when it has too many strings. */
export function redactJson(text: string, secrets: readonly string[]): string | undefined {
  return replaceStrings(text, (literal) => {
    const value = JSON.parse(literal) as string;
    const cleanValue = redactText(value, secrets);
    return cleanValue === value ? literal : JSON.stringify(cleanValue);
  });
}

/**
 * Replaces the string literals in JSON text, member names included; returns undefined when there are
 * too many. A regular expression would overflow the stack on a string with millions of escapes.
 */
function replaceStrings(text: string, replace: (literal: string) => string): string | undefined {
  const parts: string[] = [];
  let at = 0;
  for (let from = text.indexOf('"'); from !== -1; from = text.indexOf('"', at)) {
    let end = from + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    // Two parts for each string.
    if (parts.length === 2 * MAX_STRINGS) return undefined;
    parts.push(text.slice(at, from), replace(text.slice(from, end + 1)));
    at = end + 1;
  }
  return parts.join('') + text.slice(at);
}
