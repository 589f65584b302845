/** Line terminators of Python, ECMAScript, Markdown, TOML and terminals. */
const LINE_END = /\r\n|[\n\v\f\r\u2028\u2029]/u;

/**
 * Characters that change a text's display or lines without being visible: controls, bidirectional
 * marks (Unicode TR 36, section 3.4), tags, lone surrogates. The two joiners are part of words and
 * emoji.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * The start of a command of a CI runner: "##[" and "##vso[" are commands anywhere in a line (GitHub Actions,
 * Azure Pipelines), "##teamcity[" at its start. They set the environment of later steps. "[[ATTACHMENT|" in
 * a JUnit report publishes a file of the machine (Jenkins, GitLab).
 */
const RUNNER_COMMAND = /#(?=#[A-Za-z]*\[)|\[(?=\[ATTACHMENT\|)/u;

/** What is not meant for the reader, but for the program that shows a text. */
const HIDDEN = new RegExp(`${INVISIBLE.source}|${RUNNER_COMMAND.source}`, 'gu');

type WriteEscape = (codePoint: number) => string;

/**
 * Replaces every hidden character other than line feeds and tabs, and the first one of a command of a CI
 * runner, by `write(codePoint)`.
 */
export function escapeHidden(text: string, write: WriteEscape): string {
  return text.replaceAll(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : write(character.codePointAt(0)!),
  );
}

/** Splits a text into lines, hidden characters escaped. */
export function linesOf(text: string): readonly string[] {
  return text.split(LINE_END).map((line) => escapeHidden(line, unicodeEscape));
}

/** Puts a text on one line: white space collapses to one space, hidden characters are escaped. */
export function onOneLine(text: string): string {
  return escapeHidden(text.replaceAll(/\s+/gu, ' ').trim(), unicodeEscape);
}

/** Escapes hidden characters of a text with several lines. */
export function visibleLines(text: string): string {
  return escapeHidden(text, unicodeEscape);
}

/** Escapes every hidden character of a name or pointer for people. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => unicodeEscape(character.codePointAt(0)!));
}

/** Like `visible`, for what begins a line: to CI runners, a line that begins with "::" is a command too. */
export function visibleAtStart(text: string): string {
  return visible(text).replace(/^(\s*):(?=:)/, `$1${unicodeEscape(0x3a)}`);
}

/** The escape for comments and prose: "\u202e", "\u{e0041}". */
function unicodeEscape(codePoint: number): string {
  const digits = hex(codePoint, 4);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
}

export function hex(codePoint: number, digits: number): string {
  return codePoint.toString(16).padStart(digits, '0');
}

/** Cuts a text that would be repeated very often. */
export function cutText(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
