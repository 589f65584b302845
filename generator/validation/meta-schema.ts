import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import { valueAt } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { getDocumentExtendedMetaSchema } from './schema-utils.ts';

/** A definition of the meta-schema as a schema of its own, referring to the others by id. */
export interface MetaSchemaPart {
  readonly id: string;
  readonly schema: Schema;
}

/** Id of the part that a whole document is validated against. */
export const DOCUMENT_ID = 'document';

/** Id of the part that a JSON Schema is validated against. */
export const JSON_SCHEMA_ID = 'schema';

/** Name of the format of a server's `url`. */
export const SERVER_URL = 'server URL';

const REFERENCE_ID = 'schema-reference';

/**
 * Returns the meta-schema of the OpenRPC version of a document, extended by its `x-extensions`, as
 * separate definitions, so that an error names its definition. Extensions must be open: see
 * `openExtensions`.
 *
 * @throws Error when the version is unknown or an extension cannot be applied
 */
export function metaSchemaOf(document: JsonObject): readonly MetaSchemaPart[] {
  const clone = structuredClone(document) as Parameters<typeof getDocumentExtendedMetaSchema>[0];
  const whole = JSON.parse(JSON.stringify(getDocumentExtendedMetaSchema(clone))) as JsonObject;
  setServerFormat(whole);
  return [
    ...partsOf(whole, (name) => (name === '' ? DOCUMENT_ID : `openrpc-${escapeId(name)}`)),
    // OpenRPC refers to a copy of draft-07 on its own site; Ajv has the original.
    ...jsonSchemaParts(),
    { id: REFERENCE_ID, schema: { type: 'string' } },
  ];
}

/** Returns the meta-schema of JSON Schema draft-07 as separate definitions. */
export function jsonSchemaParts(): readonly MetaSchemaPart[] {
  return partsOf(draft07 as JsonObject, (name) =>
    name === '' ? JSON_SCHEMA_ID : `schema-${name}`,
  );
}

/**
 * Replaces the format of a server's `url`: the specification allows relative URLs and variables, which
 * the format `uri` of the meta-schema does not.
 */
function setServerFormat(metaSchema: JsonObject): void {
  const url = valueAt(metaSchema, '/definitions/serverObject/properties/url');
  if (isObject(url)) (url as Record<string, Json>)['format'] = SERVER_URL;
}

/** Escapes the name of an extension, which need not be part of a valid URI, as Ajv's ids must be. */
function escapeId(name: string): string {
  return name.replaceAll(/[^\w-]/g, (unit) => `~${unit.charCodeAt(0).toString(16)}`);
}

const NOT_OF_ROOT = new Set(['$id', '$schema', 'definitions']);

function partsOf(
  schema: JsonObject,
  idOf: (definition: string) => string,
): readonly MetaSchemaPart[] {
  const root = Object.entries(schema).filter(([key]) => !NOT_OF_ROOT.has(key));
  const definitions = isObject(schema['definitions']) ? schema['definitions'] : {};
  const parts = Object.entries({ '': Object.fromEntries(root), ...definitions });
  return parts.map(([name, schema]) => ({
    id: idOf(name),
    schema: JSON.parse(JSON.stringify(schema), (key, value: Json) =>
      key === '$ref' && typeof value === 'string' ? translate(value, idOf) : value,
    ) as Schema,
  }));
}

function translate(reference: string, idOf: (definition: string) => string): string {
  if (reference === '#') return idOf('');
  if (reference.startsWith('#/definitions/')) return idOf(reference.slice(14));
  // "https://meta.json-schema.tools" is JSON Schema; with a pointer, it is the schema of its `$ref`.
  return reference.includes('#') ? REFERENCE_ID : JSON_SCHEMA_ID;
}
