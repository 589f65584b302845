import { escapeHidden, hex } from './text.ts';

/** Python. Line terminators: The Python Language Reference, 2.1.2; escapes: 2.4.1. */

/** Code whose strings were written by JSON.stringify, with their hidden characters escaped. */
export function escapePython(code: string): string {
  return escapeHidden(code, (codePoint) =>
    // Unlike in JSON, two halves of a surrogate pair are two characters.
    codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`,
  );
}

/** A string as a literal: JSON's escapes are Python's too. */
export function pythonString(text: string): string {
  return escapePython(JSON.stringify(text));
}

/** Text within three double quotes; the lines of several are those of `linesOf`. */
export function docstringText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
}
