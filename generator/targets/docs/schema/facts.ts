import { printMember } from '../../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../../../common/json/value.ts';
import { isRequirement, listOf } from './type-label.ts';
import type { Fact } from './view.ts';

const MAX_CHARACTERS = 100;

const EXPECTED = 'must be';

/** Keywords and their labels. */
const KEYWORDS: readonly (readonly [keyword: string, label: string])[] = [
  ['x-expected', EXPECTED],
  ['const', 'always'],
  ['default', 'default'],
  ['pattern', 'pattern'],
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'above'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'below'],
  ['multipleOf', 'multiple of'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'items, at least'],
  ['maxItems', 'items, at most'],
  ['minProperties', 'fields, at least'],
  ['maxProperties', 'fields, at most'],
  ['contentEncoding', 'encoding'],
  ['contentMediaType', 'media type'],
];

/** Lists the constraints of a schema beyond its type. */
export function listFacts(schema: JsonObject): readonly Fact[] {
  const facts = KEYWORDS.flatMap(([keyword, label]) => {
    const value = schema[keyword];
    return value === undefined ? [] : [factOf(label, valueText(schema, keyword))];
  });
  if (schema['uniqueItems'] === true) facts.push(factOf('items', 'unique'));
  if (schema['additionalProperties'] === false && isObject(schema['properties'])) {
    facts.push(factOf('other fields', 'not allowed'));
  }
  const requirements = [schema['anyOf'], schema['oneOf']].flatMap((list) => {
    const variants = listOf(list).filter(isRequirement);
    return variants.length > 0 && variants.length === listOf(list).length ? variants : [];
  });
  if (requirements.length > 0) {
    const sets = requirements.map(({ required }) => namesIn(required!).join(' and '));
    facts.push(factOf('requires one of', sets.join(', ')));
  }
  for (const [name, needed] of Object.entries(objectIn(schema['dependencies']))) {
    if (Array.isArray(needed))
      facts.push(factOf(`requires, with ${name}`, namesIn(needed).join(', ')));
  }
  const examples = schema['examples'];
  if (Array.isArray(examples) && examples.length > 0) {
    facts.push(
      factOf('examples', examples.map((_, index) => printMember(examples, index)).join('  ')),
    );
  }
  return facts;
}

/** Returns the values of an enum as JSON. */
export function listChoices(schema: JsonObject): readonly string[] {
  const choices = schema['enum'];
  return Array.isArray(choices) ? choices.map((_, index) => printMember(choices, index)) : [];
}

function factOf(label: string, value: string): Fact {
  const isProse = label === EXPECTED;
  return { label, value, isProse, isLong: !isProse && value.length > MAX_CHARACTERS };
}

function valueText(schema: JsonObject, keyword: string): string {
  const value = schema[keyword];
  const isText = typeof value === 'string' && keyword !== 'default' && keyword !== 'const';
  return isText ? value : printMember(schema, keyword);
}

function namesIn(value: Json): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
