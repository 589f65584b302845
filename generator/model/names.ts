import { camelCase, pascalCase, spellOut, spellOutCase } from './casing.ts';

/**
 * Names that are unique in their scope, by one rule that does not depend on anything added later:
 * in the document's order, the first to ask for an identifier gets it, and each later one whose
 * name comes to the same identifier gets, of these, the first that is still free:
 *
 * 1. its name with the punctuation in words ("a.b" beside "aB": ADotB),
 * 2. the same with lower-case initials in words ("foo" beside "Foo": LowerFoo),
 * 3. the identifier with what it names behind it (FooMethod),
 * 4. that with as many underscores as it takes.
 *
 * Where the identifier is reserved, or another kind of thing has it, it goes on with 3.
 */
export interface Scope {
  /** What the scope names, for rule 3: "Method", "Param", "Schema", "Error". */
  readonly kind: string;
  readonly reserved: ReadonlySet<string>;
  /** How a name is written; a function for languages with rules of their own. */
  readonly casing: 'pascal' | 'camel' | ((name: string) => string);
}

/** Everything that goes with an identifier and has to be free too, the identifier included. */
export type Derive = (identifier: string) => readonly string[];

/** Names that are taken, and the kind of what has them. */
export type Taken = Map<string, string>;

export function createNames(scope: Scope, taken: Taken = new Map()) {
  const { kind, reserved } = scope;
  const isFree = (names: readonly string[]) =>
    names.every((name) => !taken.has(name) && !reserved.has(name));
  const isOfOthers = (name: string) => reserved.has(name) || (taken.get(name) ?? kind) !== kind;

  function take(names: readonly string[]): boolean {
    if (!isFree(names)) return false;
    for (const name of names) taken.set(name, kind);
    return true;
  }

  return {
    /** Gives `name` its identifier and takes it with what is derived from it. */
    claim(name: string, derive: Derive = (identifier) => [identifier]): string {
      const plain = write(name, scope);
      const marked = plain + kind;
      const isOurs = plain === '' || !derive(plain).some(isOfOthers);
      const candidates = [
        plain,
        ...(isOurs ? [write(spellOut(name), scope), write(spellOutCase(name), scope)] : []),
        marked,
      ].filter((candidate) => candidate !== '');
      let identifier = candidates.find((each) => isFree(derive(each))) ?? marked;
      while (!take(derive(identifier))) identifier += '_';
      return identifier;
    },
    /** Takes `identifier` as it stands if it is free, and says whether it did. */
    take: (identifier: string) => take([identifier]),
  };
}

function write(name: string, { casing }: Scope): string {
  if (typeof casing === 'function') return casing(name);
  return casing === 'pascal' ? pascalCase(name) : camelCase(name);
}
