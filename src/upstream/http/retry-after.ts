type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * How long an answer asks to be left alone, in milliseconds (RFC 9110, section 10.2.3): so many
 * seconds, or until a date, which counts from the answer's own date where it has one, since clocks
 * differ. Undefined when it does not ask, or in no form that is known.
 */
export function readRetryAfter(headers: Headers, now_ms: number): number | undefined {
  const asked = headers['retry-after'];
  if (typeof asked !== 'string') return undefined;
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const until_ms = httpDate(asked);
  if (until_ms === undefined) return undefined;
  return Math.max(0, until_ms - (httpDate(headers['date']) ?? now_ms));
}

/** Every form of date that HTTP allows names a day or a month; other text is none. */
function httpDate(text: string | string[] | undefined): number | undefined {
  if (typeof text !== 'string' || !/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
  const at_ms = Date.parse(text);
  return Number.isNaN(at_ms) ? undefined : at_ms;
}
