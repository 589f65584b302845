import { printMember } from '../../../../common/json/exact.ts';
import { isObject, type JsonObject } from '../../../../common/json/value.ts';
import { stringsAt } from '../../../model/member.ts';
import { objectAt } from '../../../schema/document-schemas.ts';
import { schemaList } from '../../../schema/subschemas.ts';
import { isRequirement } from './type-label.ts';
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
  const requirements = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const variants = schemaList(schema[keyword]);
    return variants.every(isRequirement) ? variants : [];
  });
  if (requirements.length > 0) {
    const sets = requirements.map((each) => stringsAt(each, 'required').join(' and '));
    facts.push(factOf('requires one of', sets.join(', ')));
  }
  const dependencies = objectAt(schema, 'dependencies');
  for (const [name, needed] of Object.entries(dependencies)) {
    if (!Array.isArray(needed)) continue;
    facts.push(factOf(`requires, with ${name}`, stringsAt(dependencies, name).join(', ')));
  }
  const examples = printedList(schema, 'examples');
  if (examples.length > 0) facts.push(factOf('examples', examples.join('  ')));
  return facts;
}

/** Returns the elements of a keyword's list as JSON. */
export function printedList(schema: JsonObject, keyword: string): readonly string[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list.map((_, index) => printMember(list, index)) : [];
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
