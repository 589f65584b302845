import * as fc from 'fast-check';

interface Parts {
  readonly atoms: readonly string[];
  /** The beginnings of groups, such as "(?:". */
  readonly groups: readonly string[];
  readonly quantifiers: readonly string[];
}

/** Returns random regular expressions of these parts; some are not valid. */
export function expressionsOf({ atoms, groups, quantifiers }: Parts): fc.Arbitrary<string> {
  return fc.letrec<{ all: string; term: string }>((tie) => ({
    all: fc
      .array(fc.array(tie('term'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
      .map((branches) => branches.map((terms) => terms.join('')).join('|')),
    term: fc
      .tuple(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          fc.constantFrom(...atoms),
          ...groups.map((group) => tie('all').map((inner) => `${group}${inner})`)),
        ),
        fc.constantFrom(...quantifiers),
      )
      .map((parts) => parts.join('')),
  })).all;
}
