/** The newer half of JSON that TypeScript's library does not describe yet (proposal JSON.parse source text access). */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

const exactJson = JSON as unknown as ExactJson;

/** As many digits as 64 bits make: a longer run would only buy slow arithmetic. */
const integer = /^-?\d{1,20}$/;

/**
 * Parses JSON, keeping integers a double cannot hold as bigint, up to 20 digits.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExact(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && integer.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Writes JSON in which a bigint stands as the exact integer it is. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? exactJson.rawJSON(part.toString()) : part,
  );
}
