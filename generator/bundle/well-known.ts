import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import * as openrpc from '@open-rpc/meta-schema';
import type { Json, JsonObject } from '../../common/json/value.ts';
import type { SourceText } from '../source/source.ts';

/**
 * Returns the text of the meta-schema of OpenRPC or JSON Schema if a URL is one of its addresses, or
 * null. Many documents refer to them (the result of `rpc.discover` is an OpenRPC document). They are
 * installed, so they need no network.
 */
export function readWellKnown(url: string): SourceText | null {
  const address = url.replace(/^https?:\/\//, '').replace(/(?<![/#])[/#]+$/, '');
  const row = rows.find(({ addresses }) => addresses.includes(address));
  if (row === undefined) return null;
  // The file's name becomes the name of the component.
  const file = `https://${row.name}/${row.name}.json`;
  return { name: url, url: file, text: JSON.stringify(row.schema()) };
}

const rows: readonly {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly schema: () => Json;
}[] = [
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
    schema: openrpcSchema,
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

function openrpcSchema(): Json {
  // Missing in the package's declarations.
  const { openrpcDocument } = openrpc as unknown as { readonly openrpcDocument: JsonObject };
  const { $id: _, $schema: __, ...schema } = openrpcDocument;
  return schema as JsonObject;
}

// Draft-07 in the form of meta.json-schema.tools, whose named object schema the meta-schema of OpenRPC
// refers to.
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
