/** `text` as one word of a POSIX shell, which has none with a NUL in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
