// The keywords of JSON Schema draft-07.

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

/** Validation keywords that hold plain values. */
export const plainKeywords = words(`type enum const multipleOf maximum exclusiveMaximum minimum
  exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems maxProperties
  minProperties required`);

/** Validation keywords that hold a schema. */
export const singleKeywords = words(`additionalItems items contains additionalProperties
  propertyNames if then else not`);

/** Validation keywords that hold a list of schemas; \`items\` may hold either. */
export const listKeywords = words('items allOf anyOf oneOf');

/** Validation keywords that hold a schema or a list of schemas. */
export const schemaKeywords = new Set([...singleKeywords, ...listKeywords]);

/** Validation keywords that hold schemas by name. */
export const mapKeywords = words('properties patternProperties dependencies');

/** All keywords that hold schemas by name. */
export const namedKeywords = new Set([...mapKeywords, 'definitions', '$defs']);

/** Annotations and keywords for references. */
export const otherKeywords = words(`$id $schema $ref $comment definitions title description default
  examples readOnly writeOnly contentEncoding contentMediaType`);

/** The types that a keyword applies to; keywords that are not listed apply to all. */
export const typesOfKeyword: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'number integer': 'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum',
    string: 'maxLength minLength pattern',
    array: 'items additionalItems maxItems minItems uniqueItems contains',
    object: `maxProperties minProperties required properties patternProperties
      additionalProperties dependencies propertyNames`,
  }).flatMap(([types, keywords]) =>
    [...words(keywords)].map((keyword) => [keyword, types.split(' ')] as const),
  ),
);
