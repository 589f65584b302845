import { escapeHidden, hex } from './text.ts';

// Escapes: The Python Language Reference, section 2.4.1.

/** Escapes hidden characters in code whose strings were written by `JSON.stringify`. */
export function escapePython(code: string): string {
  return escapeHidden(code, (codePoint) =>
    // Unlike JSON, Python reads a surrogate pair as two characters.
    codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`,
  );
}

/** Writes a string literal. JSON's escapes are valid in Python. */
export function pythonString(text: string): string {
  return escapePython(JSON.stringify(text));
}

/**
 * Escapes a line of a docstring in triple double quotes. A line that begins with ">>>" is an example that
 * doctest would run, so a backslash comes before it.
 */
export function docstringText(line: string): string {
  const shown = line.replace(/^(\s*)>>>/, String.raw`$1\>>>`);
  return shown.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
}
