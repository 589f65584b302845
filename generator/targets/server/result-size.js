/** Larger results are not generated: a few characters of a schema can ask for more than any memory holds. */
const MAX_SIZE = 5_000_000;

/** About as many elements, members or repetitions are generated where a schema does not ask for more. */
const SPARE = 8;

const DEFINITIONS = '#/definitions/';

/** Checks whether a value generated for a schema, with its own `definitions`, may be too large. */
export function isTooLarge(schema) {
  return sizeOf(schema, { root: schema, sizes: new Map() }) > MAX_SIZE;
}

/** Returns about the maximum number of values and characters of a generated value. */
function sizeOf(schema, context) {
  if (typeof schema !== 'object' || schema === null) return 1;
  const { sizes, root } = context;
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  // A schema within itself is generated a few times only.
  sizes.set(schema, SPARE ** 2);
  const target = typeof schema.$ref === 'string' ? followed(schema.$ref, root) : schema;
  const size = target === schema ? ownSize(schema, context) : sizeOf(target, context);
  sizes.set(schema, size);
  return size;
}

function followed($ref, { definitions = {} }) {
  const name = decodeURIComponent($ref.replace(DEFINITIONS, ''));
  return definitions[name.replaceAll('~1', '/').replaceAll('~0', '~')];
}

function ownSize(schema, context) {
  const { items, additionalItems, properties, patternProperties, additionalProperties } = schema;
  const sum = (parts) =>
    Object.values(parts ?? {}).reduce((all, part) => all + sizeOf(part, context), 0);
  const each = Array.isArray(items)
    ? sum(items) + sizeOf(additionalItems, context)
    : sizeOf(items, context);
  const others = sizeOf(additionalProperties, context) + sum(patternProperties);
  const { allOf, anyOf, oneOf, then, else: otherwise } = schema;
  return (
    1 +
    textSize(schema) +
    numberSize(schema) +
    countOf(schema.minItems) * each +
    countOf(schema.minProperties) * others +
    sum(properties) +
    [allOf, anyOf, oneOf, [then, otherwise]].reduce((all, parts) => all + sum(parts), 0)
  );
}

function countOf(least) {
  return Math.max(SPARE, Number(least ?? 0));
}

function textSize({ minLength, pattern }) {
  return typeof pattern === 'string' ? sizeOfPattern(pattern) : Number(minLength ?? 0);
}

const TOKEN =
  /\((?:\?(?:<?[=!]|<[^=!>][^>]*>|:))?|\)|\[(?:\\.|[^\]\\])*\]|\\.|[*+?]|\{(\d+)(,?)(\d*)\}|[^]/gs;

/** Escapes that the generator of texts reads as what they stand for, and ends of sets that it reads otherwise. */
const AMBIGUOUS = /\\[cux\d]|-\\/;

/** Returns about the maximum length of a text for a pattern: nested repetitions multiply. */
function sizeOfPattern(pattern) {
  if (pattern.includes('{') && AMBIGUOUS.test(pattern)) return Infinity;
  const groups = [{ size: 0, last: 0 }];
  for (const [token, least, , most] of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1);
    if (token.startsWith('(')) groups.push({ size: 0, last: 0 });
    else if (token === ')' && groups.length > 1) {
      const { size } = groups.pop();
      groups.at(-1).last = Math.max(1, size);
      groups.at(-1).size += groups.at(-1).last;
    } else if (least !== undefined || /^[*+?]$/.test(token)) {
      group.size += group.last * Math.max(0, Number(most || least || SPARE) - 1);
    } else {
      group.last = 1;
      group.size += 1;
    }
  }
  return pattern.length + groups[0].size;
}

/** Numbers are counted in steps of `multipleOf`, which never end if a step is lost to rounding. */
function numberSize({ multipleOf, ...bounds }) {
  if (typeof multipleOf !== 'number') return 0;
  const ends = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
  const isFine = ends.some(
    (end) => Math.abs(Number(bounds[end] ?? 0) / multipleOf) > Number.MAX_SAFE_INTEGER,
  );
  return isFine ? Infinity : 0;
}
