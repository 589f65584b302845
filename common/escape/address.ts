/** Characters that an address cannot have as they stand, or that end a string or a code span. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}"'<>\\^`|]/u;

/** Those of them that the URL Standard leaves in some part of an address. */
const KEPT = /['\\^`|]/g;

/** What readers replace by a value of their own, such as `<API_KEY>`; it stays readable. */
const PLACEHOLDER = /<[A-Z][A-Z_]*>/g;

/**
 * An absolute address of one of the schemes ("http", "https") as programs take it: without what is
 * percent-encoded in addresses; null for any other text.
 */
export function plainAddress(text: string, schemes: readonly string[]): string | null {
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase()) || !URL.canParse(text)) return null;
  if (!UNSAFE.test(text.replaceAll(PLACEHOLDER, ''))) return text;
  return new URL(text).href.replaceAll(
    KEPT,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
