/** Names that generated TypeScript or JavaScript cannot give to something of its own. */

const KEYWORDS = `
  arguments as async await break case catch class const continue debugger default delete do else
  enum eval export extends false finally for from function get if implements import in instanceof
  interface let new null of package private protected public return set static super switch this
  throw true try typeof undefined var void while with yield NaN Infinity globalThis`;

const PREDEFINED_TYPES = `
  any bigint boolean intrinsic never null number object string symbol undefined unknown void`;

/** What types.ts exports beside the document's own names. */
const EMITTED_TYPES = 'Methods MethodName';

/** What types.ts uses of TypeScript's own library. */
const USED_TYPES = 'Exclude';

/** Members every object has, what makes an object a promise, and what a client object offers. */
const MEMBERS = `
  __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ apply arguments
  batch bind call caller catch close constructor dispose finally hasOwnProperty isPrototypeOf
  length name on off once propertyIsEnumerable prototype request then toJSON toLocaleString toString
  valueOf`;

function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(/\s+/).filter(Boolean));
}

/** Not usable as the name of an exported type. */
export const reservedTypes = wordSet(KEYWORDS, PREDEFINED_TYPES, EMITTED_TYPES, USED_TYPES);

/** Not usable as the name of a method of a generated object. */
export const reservedMembers = wordSet(MEMBERS);

/** Not usable as the name of a function's parameter. */
export const reservedVariables = wordSet(KEYWORDS);
