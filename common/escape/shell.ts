/**
 * Quotes `text` as one word of a POSIX shell, without NUL characters, which a word cannot contain.
 */
export function shellWord(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

/** Like `shellWord`, without quotes for a text that needs none. */
export function shellArgument(text: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : shellWord(text);
}
