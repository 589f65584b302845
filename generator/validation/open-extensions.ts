import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

/**
 * Returns a document whose extensions allow any value. schema-utils-js makes the schemas of extensions
 * part of the meta-schema and compiles it with Ajv 6, which writes parts of schemas into code unescaped:
 * a document could run code. `findBadSchemas` applies the schemas with Ajv 8 instead.
 */
export function openExtensions(document: JsonObject): JsonObject {
  const extensions = document['x-extensions'];
  if (!Array.isArray(extensions)) return document;
  const open = (extensions as readonly Json[]).map((each) =>
    isObject(each) && 'schema' in each ? { ...each, schema: {} } : each,
  );
  return { ...document, 'x-extensions': open };
}
