import { escapePython } from '../../../common/escape/python.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { Json } from '../../../common/json/value.ts';

/** Whether Python's `Literal` takes a value: of numbers only integers, and those read with all digits. */
export function isLiteral(value: Json): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
}

/** A JSON value as a literal of Python, on one line; integers beyond 2^53 as the document has them. */
export function pythonLiteral(value: Json): string {
  return translate(printExact(value));
}

/** A list of values as a literal of Python, on one line. */
export function listLiteral(values: readonly Json[]): string {
  return `[${values.map(pythonLiteral).join(', ')}]`;
}

/** As `pythonLiteral`, a member a line where it does not fit `width`. */
export function pythonLiteralLines(value: Json, width: number): string {
  const short = pythonLiteral(value).replaceAll(STRING_AND_NEXT, '$1, ');
  return short.length <= width
    ? short
    : translate(printExact(value, 4)).replaceAll(/(?<![[{,])\n(\s*[\]}])/g, ',\n$1');
}

/** A string, and the comma between it and the next. */
const STRING_AND_NEXT = /("(?:[^"\\]|\\.)*"),(?=")/g;

/** JSON text as Python: outside strings, its three words are others. */
function translate(json: string): string {
  return escapePython(json).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => WORDS[token] ?? token,
  );
}

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A value of TypeScript as a literal of Python; null and undefined as None. */
export function plainLiteral(value: string | number | boolean | null): string {
  return translate(JSON.stringify(value));
}
