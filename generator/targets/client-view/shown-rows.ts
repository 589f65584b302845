import { rowsOf } from '../../model/errors.ts';
import type { ErrorModel, MethodErrorModel, Model } from '../../model/model.ts';

/** The rows of the catalog to list for an error that a method declares. */
export interface ShownRows {
  readonly rows: readonly ErrorModel[];
  /** Number of rows that the error page lists in addition. */
  readonly hidden: number;
}

interface Part {
  /** Maximum number of characters of all methods together: a row may belong to any number of methods. */
  readonly maxCharacters: number;
  /** Returns about how many characters a row takes, with markup. */
  readonly sizeOf: (row: ErrorModel) => number;
}

/** What is listed of a row. */
const parts = {
  name: { maxCharacters: 2_000_000, sizeOf: ({ name }) => name.length + 10 },
  texts: {
    maxCharacters: 10_000_000,
    sizeOf: ({ name, reason, message, cause, fix }) =>
      [name, reason, message, cause, fix].reduce((sum, text) => sum + (text?.length ?? 0), 200),
  },
} satisfies Readonly<Record<string, Part>>;

const known = new WeakMap<
  Model,
  Partial<Record<keyof typeof parts, ReadonlyMap<MethodErrorModel, ShownRows>>>
>();

/**
 * Returns the rows of the catalog to list with a method's error, with the name or all texts of each. If
 * very many methods share very many rows, some are left out.
 */
export function shownRowsOf(
  model: Model,
  declared: MethodErrorModel,
  what: keyof typeof parts,
): ShownRows {
  const all = known.get(model) ?? {};
  known.set(model, all);
  all[what] ??= shareCharacters(model, parts[what]);
  return all[what].get(declared)!;
}

/** What an error does not use of its share of the characters goes to the next. */
function shareCharacters(
  model: Model,
  { maxCharacters, sizeOf }: Part,
): ReadonlyMap<MethodErrorModel, ShownRows> {
  const sizeOfRow = new Map(model.errors.map((row) => [row, sizeOf(row)]));
  const declared = model.methods.flatMap(({ errors }) => errors);
  let left = maxCharacters;
  return new Map(
    declared.map((error, index) => {
      const all = rowsOf(model, error);
      const share = left / (declared.length - index);
      let used = 0;
      let count = 0;
      while (count < all.length && used + sizeOfRow.get(all[count]!)! <= share) {
        used += sizeOfRow.get(all[count]!)!;
        count += 1;
      }
      left -= used;
      return [error, { rows: all.slice(0, count), hidden: all.length - count }];
    }),
  );
}
