import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import * as openrpc from '@open-rpc/meta-schema';
import type { Json, JsonObject } from '../../common/json/value.ts';
import type { SourceText } from '../source/source.ts';

/**
 * Texts that many documents refer to (`rpc.discover` answers with an OpenRPC document) and that are
 * installed with us: the meta-schemas of OpenRPC and of JSON Schema. They never need the network.
 */
export function readWellKnown(url: string): SourceText | null {
  const address = url.replace(/^https?:\/\//, '').replace(/[/#]+$/, '');
  const row = rows.find(({ addresses }) => addresses.includes(address));
  if (row === undefined) return null;
  // The file's name is what the schema is called where it becomes a component.
  return {
    name: url,
    url: `https://${row.name}/${row.name}.json`,
    text: JSON.stringify(row.schema()),
  };
}

interface Row {
  readonly name: string;
  readonly addresses: readonly string[];
  schema(): Json;
}

interface Installed {
  readonly openrpcDocument: JsonObject;
}

const rows: readonly Row[] = [
  {
    name: 'openrpcDocument',
    addresses: [
      'meta.open-rpc.org',
      'raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json',
      'raw.githubusercontent.com/open-rpc/meta-schema/main/schema.json',
      'raw.githubusercontent.com/open-rpc/spec/master/spec.json',
      'open-rpc.github.io/meta-schema',
      'open-rpc.github.io/meta-schema/schema.json',
    ],
    // Its declarations leave out what the package exports.
    schema: () => withoutIdentity((openrpc as unknown as Installed).openrpcDocument),
  },
  {
    name: 'JSONSchema',
    addresses: [
      'meta.json-schema.tools',
      'json-schema.org/draft-07/schema',
      'raw.githubusercontent.com/json-schema-tools/meta-schema/master/schema.json',
    ],
    schema: jsonSchema,
  },
];

// Draft-07 as meta.json-schema.tools words it: what is an object has a name of its own there, which
// the meta-schema of OpenRPC points into.
function jsonSchema(): Json {
  const { definitions, properties } = draft07 as JsonObject;
  return {
    title: 'JSONSchema',
    oneOf: [{ $ref: '#/definitions/JSONSchemaObject' }, { type: 'boolean' }],
    definitions: {
      ...(definitions as JsonObject),
      JSONSchemaObject: { title: 'JSONSchemaObject', type: 'object', properties: properties! },
    },
  };
}

function withoutIdentity(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== '$id' && key !== '$schema'),
  );
}
