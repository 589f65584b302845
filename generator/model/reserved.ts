// Names that generated TypeScript and JavaScript must not use for the document's names.

const KEYWORDS = `
  arguments as async await break case catch class const continue debugger default delete do else
  enum eval export extends false finally for from function get if implements import in instanceof
  interface let new null of package private protected public return set static super switch this
  throw true try typeof undefined var void while with yield NaN Infinity globalThis`;

/** Names of types, and operators before one. */
const PREDEFINED_TYPES = `
  any bigint boolean infer intrinsic keyof never null number object readonly string symbol undefined
  unique unknown void`;

/** Exported by types.ts in addition to the document's names, or used from TypeScript's library. */
const OWN_TYPES = 'Methods MethodName Exclude';

/** Members of every object, of promises, and of client objects. */
const MEMBERS = `
  __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ apply arguments
  batch bind call caller catch close constructor dispose finally hasOwnProperty isPrototypeOf
  length name on off once propertyIsEnumerable prototype request then toJSON toLocaleString toString
  valueOf`;

/** Returns the set of the words in lists separated by white space. */
export function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(/\s+/).filter(Boolean));
}

/** Reserved among exported types. */
export const reservedTypes = wordSet(KEYWORDS, PREDEFINED_TYPES, OWN_TYPES);

/** Reserved among methods of a generated object. */
export const reservedMembers = wordSet(MEMBERS);

/** Reserved among function parameters. */
export const reservedVariables = wordSet(KEYWORDS);
