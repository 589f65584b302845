/** The keywords of JSON Schema draft-07, by what they hold and what they are for. */

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

/** Keywords that decide whether a value is valid and hold plain values. */
export const plainKeywords = words(`type enum const multipleOf maximum exclusiveMaximum minimum
  exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems maxProperties
  minProperties required`);

/** Keywords that decide whether a value is valid and hold a schema or a list of schemas. */
export const schemaKeywords = words(`additionalItems items contains additionalProperties
  propertyNames not if then else allOf anyOf oneOf`);

/** Keywords that decide whether a value is valid and hold schemas by name. */
export const mapKeywords = words('properties patternProperties dependencies');

/** Keywords that tell of a value, or help to refer to schemas. */
export const otherKeywords = words(`$id $schema $ref $comment definitions title description default
  examples readOnly writeOnly contentEncoding contentMediaType`);

/** The types of values a keyword is about; one that is not here is about all of them. */
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
