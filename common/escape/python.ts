import { createCommentEscape } from './markdown.ts';
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
 * What reStructuredText acts on, in a block of text, a list, a table or a field: ">>>" begins an example that
 * doctest would run, ".." a directive, which could include a file, or HTML as it is, "__" the target of a link;
 * a role and a link with a target have backticks beside a colon or an underscore, and a scheme makes a link by
 * itself.
 */
const MARKUP =
  /(?<![\p{L}\p{N}.])(?:>>>|\.\.|__)(?=\s|$)|(?<=:)`|(?<=`)(?=_|:[^\s:`]+:)|(?<=javascript|vbscript|data):(?=\S)/giu;

/** Escapes the lines of a docstring in triple double quotes, with backslashes before markup. */
export function docstringLines(lines: readonly string[]): readonly string[] {
  const shown = lines.map((line) => line.replaceAll(MARKUP, String.raw`\$&`));
  return shown
    .map(createCommentEscape(shown))
    .map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'));
}

/** Like `docstringLines`, for a text on one line. */
export function docstringText(line: string): string {
  return docstringLines([line]).join('');
}
