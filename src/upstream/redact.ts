import { credentialsOf } from './credentials.ts';
import type { StreamingOutcome, StreamingUpstream } from './upstream.ts';

/** Shorter values would be found where they mean nothing: words in a path, a version in a header. */
const SECRET_LETTERS = 6;
const SECRET_PATH_LETTERS = 16;

/** What of an upstream's address and headers must never be told: credentials and keys. */
export function secretsOf(url: URL, headers: Readonly<Record<string, string>>): readonly string[] {
  const { pathname, searchParams } = url;
  const values = Object.values(headers);
  const given = [
    ...Object.values(credentialsOf(url) ?? {}),
    url.password,
    ...values,
    ...values.flatMap((value) => value.split(/\s+/).slice(1)),
  ].filter((value) => value.length >= SECRET_LETTERS);
  const inPath = [...pathname.split('/'), ...searchParams.values()].filter(
    (value) => value.length >= SECRET_PATH_LETTERS,
  );
  // Whole values before the parts they hold.
  return [...new Set([...given, ...inPath])].toSorted((left, right) => right.length - left.length);
}

/** Takes secrets out of what an upstream says in its errors: some repeat the key they were sent. */
export function withRedaction(
  upstream: StreamingUpstream,
  secrets: readonly string[],
): StreamingUpstream {
  if (secrets.length === 0) return upstream;
  return (call, signal) => upstream(call, signal).then((outcome) => redact(outcome, secrets));
}

/**
 * Replaces the strings in JSON text, member names among them. An expression for a string runs out of
 * stack where there are millions of escapes.
 */
function replaceStrings(text: string, replace: (written: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (let from = text.indexOf('"'); from !== -1; from = text.indexOf('"', at)) {
    let end = from + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    parts.push(text.slice(at, from), replace(text.slice(from, end + 1)));
    at = end + 1;
  }
  return parts.join('') + text.slice(at);
}

function redact(outcome: StreamingOutcome, secrets: readonly string[]): StreamingOutcome {
  if (outcome.kind !== 'error') return outcome;
  const clean = (text: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  const { code, message, data, rawData } = outcome.error;
  const told = { code, message: clean(message) };
  const text = rawData?.toString() ?? JSON.stringify(data);
  if (text === undefined) return { ...outcome, error: told };
  const cleaned = replaceStrings(text, (written) => {
    const value = JSON.parse(written) as string;
    const left = clean(value);
    return left === value ? written : JSON.stringify(left);
  });
  const error = { ...told, data: JSON.parse(cleaned) as unknown };
  if (rawData === undefined) return { ...outcome, error };
  return { ...outcome, error: { ...error, rawData: Buffer.from(cleaned) } };
}
