/** Keys below which any name may stand: what follows is a member's name, not a keyword. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependencies',
  'schemas',
  'contentDescriptors',
  'errors',
  'examples',
  'examplePairings',
  'tags',
  'links',
]);

const LITERAL_KEYWORDS = new Set(['default', 'const', 'enum', 'value']);

/**
 * True when a part of an OpenRPC document is data of its own, in which `$ref` is a member like any
 * other: values of examples, defaults and constants, and extensions other than `x-errors`.
 */
export function isLiteral(tokens: readonly string[]): boolean {
  const last = tokens.at(-1);
  const parent = tokens.at(-2);
  if (last === undefined || (parent !== undefined && MAPS.has(parent))) return false;
  if (last.startsWith('x-')) return !(tokens.length === 1 && last === 'x-errors');
  if (LITERAL_KEYWORDS.has(last)) return true;
  if (last === 'data' && tokens.at(-3) === 'errors') return true;
  // A schema's examples are values; those of a method and of the components are objects.
  const isOfDocument = tokens.length <= 3 && (tokens[0] === 'methods' || parent === 'components');
  return last === 'examples' && !isOfDocument;
}
