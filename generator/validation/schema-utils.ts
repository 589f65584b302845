import { createRequire } from 'node:module';
import type * as SchemaUtils from '@open-rpc/schema-utils-js';

const require = createRequire(import.meta.url);

/** Loads a module of schema-utils-js; the whole package would also load what downloads documents. */
function load<Name extends keyof typeof SchemaUtils>(file: string): (typeof SchemaUtils)[Name] {
  return require(`@open-rpc/schema-utils-js/build/${file}.js`).default;
}

export const validateOpenRPCDocument = load<'validateOpenRPCDocument'>(
  'validate-open-rpc-document',
);
export const getDocumentExtendedMetaSchema = load<'getDocumentExtendedMetaSchema'>(
  'get-document-extended-metaschema',
);
