import { camelCase, pascalCase, spellOut, spellOutCase } from './casing.ts';

/**
 * A set of unique identifiers. Identifiers never depend on names added later: in the document's
 * order, the first name keeps its identifier, and a later name that maps to the same identifier gets
 * the first of these that is free:
 *
 * 1. its name with punctuation spelled out ("a.b" next to "aB": ADotB),
 * 2. the same with lower-case initials spelled out ("foo" next to "Foo": LowerFoo),
 * 3. the identifier followed by the kind (FooMethod),
 * 4. that, followed by a number (FooMethod2).
 *
 * A name whose identifier is reserved, or taken by another kind, continues at 3.
 */
interface Scope {
  /** Kind of the named things, for rule 3: "Method", "Param", "Schema", "Error". */
  readonly kind: string;
  readonly reserved: ReadonlySet<string>;
  readonly casing: 'pascal' | 'camel' | ((name: string) => string);
}

/** Returns all names that an identifier takes, itself included. */
type Derive = (identifier: string) => readonly string[];

/** Taken names and the kind that owns each. */
export type Taken = Map<string, string>;

export function createNames(scope: Scope, taken: Taken = new Map()) {
  const { kind, reserved } = scope;
  const isFree = (names: readonly string[]) =>
    names.every((name) => !taken.has(name) && !reserved.has(name));
  /** The next number of each identifier: thousands of names may map to the same one. */
  const numbers = new Map<string, number>();
  const isOtherKind = (name: string) => reserved.has(name) || (taken.get(name) ?? kind) !== kind;

  function take(names: readonly string[]): boolean {
    if (!isFree(names)) return false;
    for (const name of names) taken.set(name, kind);
    return true;
  }

  function addNumber(identifier: string, derive: Derive): string {
    let number = numbers.get(identifier) ?? 2;
    while (!isFree(derive(`${identifier}${number}`))) number += 1;
    numbers.set(identifier, number + 1);
    return `${identifier}${number}`;
  }

  return {
    /** Takes and returns a free identifier for `name`, with all names derived from it. */
    claim(name: string, derive: Derive = (identifier) => [identifier]): string {
      const plain = write(name, scope);
      const marked = plain + kind;
      const isOurs = plain === '' || !derive(plain).some(isOtherKind);
      const candidates = [
        plain,
        ...(isOurs ? [write(spellOut(name), scope), write(spellOutCase(name), scope)] : []),
        marked,
      ].filter((candidate) => candidate !== '');
      const identifier =
        candidates.find((each) => isFree(derive(each))) ?? addNumber(marked, derive);
      take(derive(identifier));
      return identifier;
    },
    /** Takes `identifier` unchanged if it is free. Returns whether it was. */
    take: (identifier: string) => take([identifier]),
  };
}

/** Names keys: those for which `isName` is true keep their own name if it is free. */
export function nameKeys(
  names: ReturnType<typeof createNames>,
  keys: readonly string[],
  isName: (key: string) => boolean,
): ReadonlyMap<string, string> {
  const own = new Set(keys.filter((key) => isName(key) && names.take(key)));
  return new Map(keys.map((key) => [key, own.has(key) ? key : names.claim(key)]));
}

function write(name: string, { casing }: Scope): string {
  if (typeof casing === 'function') return casing(name);
  return casing === 'pascal' ? pascalCase(name) : camelCase(name);
}
