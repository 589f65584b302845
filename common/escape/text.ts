/**
 * What every language of ours asks of a text of a document: which characters end a line, and which
 * ones a reader of the output does not see.
 */

/** Ends of lines in Python, ECMAScript, Markdown, TOML or a terminal. */
const LINE_END = /\r\n|[\n\v\f\r\u2028\u2029]/u;

/**
 * Characters that change what is shown or where a line ends without being seen: controls, bidirectional
 * marks (Unicode TR 36, 3.4), tags, halves of surrogate pairs. The two joiners are part of words and of
 * emoji.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Writes a code point as an escape of some language. */
export type WriteEscape = (codePoint: number) => string;

/** `text` with every hidden character but line feeds and tabs as `write` writes it. */
export function escapeHidden(text: string, write: WriteEscape): string {
  return text.replaceAll(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : write(character.codePointAt(0)!),
  );
}

/** The lines of a text of several lines, such as a description, hidden characters written out. */
export function linesOf(text: string): readonly string[] {
  return text.split(LINE_END).map((line) => escapeHidden(line, unicodeEscape));
}

/** A text as one line: runs of white space become one space, hidden characters are written out. */
export function onOneLine(text: string): string {
  return escapeHidden(text.replaceAll(/\s+/gu, ' ').trim(), unicodeEscape);
}

/** "\u202e", "\u{e0041}": what comments and texts for people show in the place of a hidden character. */
function unicodeEscape(codePoint: number): string {
  const digits = hex(codePoint, 4);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
}

export function hex(codePoint: number, digits: number): string {
  return codePoint.toString(16).padStart(digits, '0');
}
