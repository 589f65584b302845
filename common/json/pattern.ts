/** True when `text` is a regular expression of ECMAScript, with or without the "u" flag. */
export function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
