/** Quotes `text` as one word of a POSIX shell. NUL characters are removed: no word can hold them. */
export function shellWord(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
