import { pythonString } from '../../../../common/escape/python.ts';

/** A Python type. `ref` is the name of a declaration in types.py. */
export type PythonType =
  | { readonly text: string }
  | { readonly ref: string }
  | { readonly literals: readonly string[] }
  | { readonly list: PythonType }
  | { readonly dict: PythonType }
  | { readonly union: readonly PythonType[] };

export const ANY: PythonType = { text: 'Any' };
export const NEVER: PythonType = { text: 'Never' };
export const NONE: PythonType = { text: 'None' };

/** Returns the union of types: flat, without duplicates, None last. */
export function unionOf(types: readonly PythonType[]): PythonType {
  const flat = types.flatMap((type) => ('union' in type ? type.union : [type]));
  const known = flat.filter((type) => type !== NEVER);
  if (known.some((type) => 'text' in type && type.text === 'Any')) return ANY;
  const literals = [...new Set(known.flatMap((type) => ('literals' in type ? type.literals : [])))];
  const others = new Map(
    known.filter((type) => !('literals' in type)).map((type) => [printType(type), type]),
  );
  const isNullable = others.delete('None');
  const members = [
    ...others.values(),
    ...(literals.length > 0 ? [{ literals }] : []),
    ...(isNullable ? [NONE] : []),
  ];
  return members.length === 1 ? members[0]! : members.length === 0 ? NEVER : { union: members };
}

/** Prints a type. Names in `quoted`, which are declared later, are printed as strings. */
export function printType(type: PythonType, quoted: ReadonlySet<string> = new Set()): string {
  if ('text' in type) return type.text;
  if ('ref' in type) return quoted.has(type.ref) ? `"${type.ref}"` : type.ref;
  if ('literals' in type) return `Literal[${type.literals.join(', ')}]`;
  if ('list' in type) return `list[${printType(type.list, quoted)}]`;
  if ('dict' in type) return `dict[str, ${printType(type.dict, quoted)}]`;
  const members = type.union.map((member) => printType(member, quoted));
  // A string has no operator "|".
  const isQuoted = members.some((member) => member.startsWith('"'));
  return isQuoted ? `Union[${members.join(', ')}]` : members.join(' | ');
}

/** Returns the names that a type refers to. */
export function namesIn(type: PythonType): readonly string[] {
  if ('ref' in type) return [type.ref];
  if ('list' in type) return namesIn(type.list);
  if ('dict' in type) return namesIn(type.dict);
  return 'union' in type ? type.union.flatMap(namesIn) : [];
}

/** Prints a type as a string, for names that are declared later. */
export function quoteType(type: PythonType): string {
  const text = printType(type);
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") || text.includes('\\') ? pythonString(text) : `'${text}'`;
}
