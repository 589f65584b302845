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
 * Escapes a line of a docstring in triple double quotes. A backslash comes before ">>>", which begins an
 * example that doctest would run, and before "..", which begins a directive of reStructuredText: it could
 * include a file, or HTML as it is.
 */
export function docstringText(line: string): string {
  const shown = line.replace(/^(\s*)(>>>|\.\.(?=\s))/, String.raw`$1\$2`);
  return shown.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
}
