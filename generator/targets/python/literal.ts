import { escapePython } from '../../../common/escape/python.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { Json } from '../../../common/json/value.ts';

/** Checks whether Python's `Literal` allows a value: fractions and rounded integers are not allowed. */
export function isLiteral(value: Json): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
}

/** Writes a JSON value as a Python literal on one line, wide integers with all digits. */
export function pythonLiteral(value: Json): string {
  return translate(printExact(value));
}

/** Writes a list of values as a Python literal on one line. */
export function listLiteral(values: readonly Json[]): string {
  return `[${values.map(pythonLiteral).join(', ')}]`;
}

/** Like `pythonLiteral`, with one member per line if it is longer than `width`. */
export function pythonLiteralLines(value: Json, width: number): string {
  const short = pythonLiteral(value).replaceAll(STRING_AND_NEXT, (token) =>
    token.replace(/,$/, ', '),
  );
  return short.length <= width
    ? short
    : translate(printExact(value, 4)).replaceAll(/(?<![[{,])\n( *[\]}])/g, ',\n$1');
}

/** A string, with the comma before another string if one follows. */
const STRING_AND_NEXT = /"(?:[^"\\]|\\.)*"?(?:,(?="))?/g;

/** Translates JSON to Python: outside of strings, only its three words differ. */
function translate(json: string): string {
  return escapePython(json).replaceAll(
    /"(?:[^"\\]|\\.)*"?|\b(?:true|false|null)\b/g,
    (token) => WORDS[token] ?? token,
  );
}

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Writes a scalar as a Python literal. */
export function plainLiteral(value: string | number | boolean | null): string {
  return translate(JSON.stringify(value));
}
