import type { JsonCodec } from './transport.ts';

// Not in the declarations of TypeScript yet (ECMAScript proposal "JSON.parse source text access").
interface SourceTextAccess {
  readonly rawJSON?: (text: string) => unknown;
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { readonly source: string }) => unknown,
  ): unknown;
}

const { rawJSON, parse } = JSON as unknown as SourceTextAccess;

const INTEGER = /^-?\d+$/;

/** A number as it is written: a bigint where a number would not hold the integer exactly. */
function readNumber(source: string): number | bigint {
  const value = Number(source);
  return !Number.isSafeInteger(value) && INTEGER.test(source) ? BigInt(source) : value;
}

/**
 * Reads JSON without a look at the source of each number, for runtimes that give none: every number
 * becomes its place in a list of their sources, which no other number of the text can be taken for.
 */
export function parseByPlace(text: string): unknown {
  const sources: string[] = [];
  const places = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : String(sources.push(token) - 1),
  );
  return JSON.parse(places, (_, value: unknown) =>
    typeof value === 'number' ? readNumber(sources[value]!) : value,
  );
}

/** Writes JSON with bigints as integers, for runtimes without JSON.rawJSON. */
export function stringifyByMark(value: unknown): string {
  const write = (mark: string): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? `${mark}${each}` : each,
    );
  // A mark that is nowhere in the text itself.
  let mark = '#';
  while (write('').includes(mark)) mark += '#';
  return write(mark).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

/**
 * JSON in which integers beyond 2^53 are bigints, to the last digit, and all other numbers are
 * numbers: `http({ url, json: exactJson })`. Digits inside strings are left alone.
 */
export const exactJson: JsonCodec<bigint> = {
  parse(text) {
    const value: unknown = JSON.parse(text);
    if (!/\d{16}/.test(text)) return value;
    // Runtimes that tell the source of a number can also write one.
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
