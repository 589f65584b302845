/** Characters that are invalid in a URL, or that end a string literal or a code span. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}"'<>\\^`|]/u;

/** The unsafe characters that the URL Standard does not percent-encode everywhere. */
const KEPT = /['\\^`|]/g;

/**
 * Placeholders that readers replace with their own value, such as `<API_KEY>`; they stay readable.
 */
const PLACEHOLDER = /<[A-Z][A-Z_]*>/g;

/**
 * Returns an absolute URL of one of the schemes ("http", "https"), unsafe characters percent-encoded,
 * or null for any other text.
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
