import { printMember } from '../../common/json/exact.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import { isObject, type Json } from '../../common/json/value.ts';

/** Maximum length of a value in a message. */
const MAX_SHOWN = 120;

export function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** Returns `holder[key]` for a message. */
export function showMember(holder: object, key: string | number): string {
  const isThere = (holder as Readonly<Record<string, unknown>>)[key] !== undefined;
  return isThere ? shorten(printMember(holder, key)) : 'nothing';
}

interface DifferenceOptions {
  /** Rejects additional members of objects. */
  readonly isExact?: boolean;
  readonly path?: string;
}

/**
 * Describes the first place at which `got[key]` differs from `wanted[key]`; undefined if there is
 * none. Objects may have further members, unless `isExact`. All digits of wide integers count.
 */
export function findDifference(
  wanted: object,
  got: object,
  key: string | number,
  { isExact = false, path = String(key) }: DifferenceOptions = {},
): string | undefined {
  const [a, b] = [wanted, got].map((each) => (each as Readonly<Record<string, Json>>)[key]);
  const pairs = pairsOf(a, b, isExact);
  if (pairs === undefined) {
    const isSame =
      a !== undefined && b !== undefined && printMember(wanted, key) === printMember(got, key);
    return isSame
      ? undefined
      : `${path}: expected ${showMember(wanted, key)}, got ${showMember(got, key)}`;
  }
  for (const each of pairs) {
    const found = findDifference(a as object, b as object, each, {
      isExact,
      path: joinPointer(path, each),
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the keys of two values that are compared member by member. */
function pairsOf(
  a: Json | undefined,
  b: Json | undefined,
  isExact: boolean,
): readonly (string | number)[] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length ? [...a.keys()] : undefined;
  }
  if (!isObject(a) || !isObject(b)) return undefined;
  return isExact ? [...new Set([...Object.keys(a), ...Object.keys(b)])] : Object.keys(a);
}
