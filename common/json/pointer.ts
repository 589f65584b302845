import type { Json } from './value.ts';

// JSON pointers (RFC 6901) are strings: "" is the whole document, "/methods/0/name" a part of it.

/** Appends a token to a pointer. */
export function joinPointer(parent: string, token: string | number): string {
  // Few tokens need escaping, and this runs for every part of a document.
  return typeof token === 'string' && /[~/]/.test(token)
    ? `${parent}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `${parent}/${token}`;
}

/** Returns the unescaped tokens of a pointer. */
export function splitPointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  if (!pointer.includes('~')) return tokens;
  return tokens.map(unescapeToken);
}

/** Unescapes one token (RFC 6901, section 4). */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns whether a pointer is at or below a place, given as its tokens; "*" is any token. */
export function isAtOrBelow(pointer: string, place: readonly string[]): boolean {
  const tokens = splitPointer(pointer);
  return (
    place.length <= tokens.length &&
    place.every((token, index) => token === '*' || token === tokens[index])
  );
}

/**
 * Returns the pointer in the fragment of a URI reference ("/a b" for "#/a%20b"), or null when the
 * fragment is not a JSON pointer (RFC 6901, section 6).
 */
export function pointerOfFragment(reference: string): string | null {
  const hash = reference.indexOf('#');
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  if (fragment !== '' && !fragment.startsWith('/')) return null;
  return decodeUri(fragment);
}

/** Decodes percent-encoded characters; invalid text stays as it is. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Percent-encodes a part of a URI, the inverse of `decodeUri`. Half of a surrogate pair stays as it is:
 * `encodeURIComponent` throws a URIError for it, and documents are read before their names are validated.
 */
export function encodeUri(text: string): string {
  return text.replaceAll(/\P{Surrogate}+/gu, (part) => encodeURIComponent(part));
}

/** Returns the URI fragment for a pointer, the inverse of `pointerOfFragment`. */
export function referenceTo(pointer: string): string {
  return `#${pointer.split('/').map(encodeUri).join('/')}`;
}

/** Returns the member of an object or array that a token names, or undefined. */
export function memberOf(value: Json | undefined, token: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, Json>)[token] : undefined;
}

/**
 * Yields `root` and every value in it with its pointer, in document order. Members for which `skips`
 * returns true are left out. `at` is the pointer to `root`.
 */
export function* walkJson(
  root: Json,
  skips: (holder: Json, key: string, pointer: string) => boolean = () => false,
  at = '',
): Generator<readonly [value: Json, pointer: string]> {
  // A stack rather than recursion: a document may be nested deeply.
  const stack: [Json, string][] = [[root, at]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const [holder, parent] = next;
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, member] of Object.entries(holder).toReversed()) {
      const pointer = joinPointer(parent, key);
      if (!skips(holder, key, pointer)) stack.push([member as Json, pointer]);
    }
  }
}

/** Returns the value at `pointer`, or undefined. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const token of splitPointer(pointer)) value = memberOf(value, token);
  return value;
}
