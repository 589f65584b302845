/**
 * Quotes `text` as one word of a POSIX shell, without NUL characters, which a word cannot contain.
 */
export function shellWord(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
