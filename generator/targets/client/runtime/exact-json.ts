import type { JsonCodec } from './transport.ts';

// ECMAScript proposal "JSON.parse source text access", not yet in TypeScript's declarations.
interface SourceTextAccess {
  readonly rawJSON?: (text: string) => unknown;
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { readonly source: string }) => unknown,
  ): unknown;
}

const { rawJSON, parse } = JSON as unknown as SourceTextAccess;

const INTEGER = /^-?\d+$/;

/**
 * Same as Python's limit. Reading a bigint of millions of digits takes minutes, and no timeout fires
 * then.
 */
const MAX_DIGITS = 4300;

/**
 * Reads a number, an integer beyond 2^53 as a bigint.
 * @throws SyntaxError when it has too many digits.
 */
function readNumber(source: string): number | bigint {
  const value = Number(source);
  if (Number.isSafeInteger(value) || !INTEGER.test(source)) return value;
  if (source.length > MAX_DIGITS) throw new SyntaxError(`integer of over ${MAX_DIGITS} digits`);
  return BigInt(source);
}

/**
 * Parses JSON in runtimes without source text access: replaces every number by its index in a list of
 * the numbers' source texts.
 */
export function parseByPlace(text: string): unknown {
  const sources: string[] = [];
  const places = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : String(sources.push(token) - 1),
  );
  return JSON.parse(places, (_, value: unknown) =>
    typeof value === 'number' ? readNumber(sources[value]!) : value,
  );
}

/** Writes bigints as integers in runtimes without `JSON.rawJSON`. */
export function stringifyByMark(value: unknown): string {
  const write = (mark: string): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? `${mark}${each}` : each,
    );
  // A mark that does not occur in the text.
  const taken = new Set(Array.from(write('').matchAll(/#(\d+)(?=#)/g), ([, number]) => number));
  let number = 0;
  while (taken.has(String(number))) number += 1;
  const mark = `#${number}#`;
  return write(mark).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

/**
 * JSON with bigints for integers beyond 2^53: `http({ url, json: exactJson })`. Other numbers stay
 * numbers.
 */
export const exactJson: JsonCodec<bigint> = {
  parse(text) {
    const value: unknown = JSON.parse(text);
    if (!/\d{16}/.test(text)) return value;
    // Runtimes with source text access have rawJSON too.
    if (rawJSON === undefined) return parseByPlace(text);
    return parse(text, (_, each, context) =>
      typeof each === 'number' && !Number.isSafeInteger(each) ? readNumber(context.source) : each,
    );
  },
  stringify: (value) =>
    rawJSON === undefined
      ? stringifyByMark(value)
      : JSON.stringify(value, (_, each: unknown) =>
          typeof each === 'bigint' ? rawJSON(String(each)) : each,
        ),
};
