import { namesIn, type PythonType } from './python-type.ts';

/** An alias whose names are all declared before it, but for those in `quoted`. */
export interface PlacedAlias {
  readonly name: string;
  readonly alias: PythonType;
  /** Aliases that refer to one another in a circle with it, or to itself. */
  readonly quoted: ReadonlySet<string>;
}

/** Puts aliases behind those they refer to: Python evaluates them as they stand. */
export function orderAliases(aliases: ReadonlyMap<string, PythonType>): readonly PlacedAlias[] {
  const placed = new Map<string, PlacedAlias>();
  const open = new Set<string>();
  const place = (name: string): void => {
    const alias = aliases.get(name);
    if (alias === undefined || placed.has(name) || open.has(name)) return;
    open.add(name);
    for (const each of namesIn(alias)) place(each);
    open.delete(name);
    const later = namesIn(alias).filter((each) => aliases.has(each) && !placed.has(each));
    placed.set(name, { name, alias, quoted: new Set(later) });
  };
  for (const name of aliases.keys()) place(name);
  return [...placed.values()];
}
