import type { Json } from './value.ts';

/** JSON pointers as strings (RFC 6901): "" is the whole document, "/methods/0/name" a part of it. */

/** The pointer to `token` below `parent`. */
export function joinPointer(parent: string, token: string | number): string {
  // Hardly any token has something to escape, and pointers are joined for every part of a document.
  return typeof token === 'string' && /[~/]/.test(token)
    ? `${parent}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `${parent}/${token}`;
}

/** The unescaped tokens of a pointer. */
export function splitPointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  if (!pointer.includes('~')) return tokens;
  return tokens.map(unescapeToken);
}

/** Decodes one token of a pointer (RFC 6901, section 4). */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * The pointer in the fragment of a URI reference ("#/a%20b" gives "/a b"), or null when the
 * reference has no fragment that is a JSON pointer (RFC 6901, section 6).
 */
export function pointerOfFragment(reference: string): string | null {
  const hash = reference.indexOf('#');
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  if (fragment !== '' && !fragment.startsWith('/')) return null;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The reference, as a URI fragment, that `pointerOfFragment` reads as `pointer`. */
export function referenceTo(pointer: string): string {
  return `#${pointer.split('/').map(encodeURIComponent).join('/')}`;
}

/** The member of an object or array that a token names, or undefined. */
export function memberOf(value: Json | undefined, token: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, Json>)[token] : undefined;
}

/** What `pointer` leads to in `document`, or undefined. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const token of splitPointer(pointer)) value = memberOf(value, token);
  return value;
}
