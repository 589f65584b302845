import { camelCase, pascalCase, spellOut, spellOutCase } from './casing.ts';

/**
 * Names that are unique in their scope, by one rule that does not depend on anything added later:
 * in the document's order, the first to ask for an identifier gets it, and each later one whose
 * name comes to the same identifier gets, of these, the first that is still free:
 *
 * 1. its name with the punctuation in words ("a.b" beside "ab": ADotB),
 * 2. the same with lower-case initials in words ("foo" beside "Foo": LowerFoo),
 * 3. the identifier with what it names behind it (FooMethod),
 * 4. that with as many underscores as it takes.
 *
 * A name that is reserved starts at 3.
 */
export interface Scope {
  /** What the scope names, for rule 3: "Method", "Param", "Schema", "Error". */
  readonly kind: string;
  readonly reserved: ReadonlySet<string>;
  readonly casing: 'pascal' | 'camel';
}

/** Everything that goes with an identifier and has to be free too, the identifier included. */
export type Derive = (identifier: string) => readonly string[];

export function createNames(scope: Scope, taken: Set<string> = new Set()) {
  const isFree = (names: readonly string[]) =>
    names.every((name) => !taken.has(name) && !scope.reserved.has(name));

  function take(names: readonly string[]): boolean {
    if (!isFree(names)) return false;
    for (const name of names) taken.add(name);
    return true;
  }

  return {
    /** Gives `name` its identifier and takes it with what is derived from it. */
    claim(name: string, derive: Derive = (identifier) => [identifier]): string {
      const candidates = candidatesFor(name, scope);
      let identifier = candidates.find((each) => isFree(derive(each))) ?? candidates.at(-1)!;
      while (!take(derive(identifier))) identifier += '_';
      return identifier;
    },
    /** Takes `identifier` as it stands if it is free, and says whether it did. */
    take: (identifier: string) => take([identifier]),
  };
}

function candidatesFor(name: string, scope: Scope): readonly string[] {
  const write = scope.casing === 'pascal' ? pascalCase : camelCase;
  const plain = write(name);
  const candidates = [plain, write(spellOut(name)), write(spellOutCase(name)), plain + scope.kind];
  const isReserved = scope.reserved.has(plain);
  return candidates.filter((each) => each !== '' && !(isReserved && each !== plain + scope.kind));
}
