import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import { isPattern } from '../../common/json/pattern.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { isServerUrl } from '../model/server-address.ts';
import type { Facts } from '../../common/validators-runtime/violations.js';
import { MAX_ERRORS } from '../source/problems.ts';
import { textAt } from '../model/member.ts';
import { createCheck, factsOfAll } from '../violations/create-ajv.ts';
import { extensionSchemas, listAt } from '../schema/document-schemas.ts';
import { toDiagnostic, type Violation } from './to-diagnostic.ts';
import { shortenEnums } from './shorten-enums.ts';
import { replaceServerUrls } from './replace-server-urls.ts';
import {
  DOCUMENT_ID,
  JSON_SCHEMA_ID,
  jsonSchemaParts,
  metaSchemaOf,
  SERVER_URL,
  type MetaSchemaPart,
} from './meta-schema.ts';
import { openExtensions } from './open-extensions.ts';
import { validateOpenRPCDocument } from './schema-utils.ts';

const EXTENSIONS = '/x-extensions';

/** Maximum number of errors of a list, with those of branches that were not meant: several for each finding. */
const MAX_RAW_ERRORS = 100 * MAX_ERRORS;

/**
 * Finds the violations of the OpenRPC specification. schema-utils-js decides whether a document is valid;
 * a second validation finds the violations and their places. Requires a document for which
 * `findUnreadable` returns null.
 */
export function findViolations(document: Json): readonly Violation[] {
  const open = openExtensions(document as JsonObject);
  const diagnostic = schemaUtilsDiagnostic(open);
  if (diagnostic === null) return findBadSchemas(document as JsonObject);
  // Without the extensions if one of them cannot be applied.
  const isApplied = diagnostic.pointer !== EXTENSIONS;
  const found = validationOf(isApplied ? open : { ...open, 'x-extensions': [] })(document);
  return found.length > 0 ? found : [diagnostic];
}

type Validation = (value: Json) => readonly Violation[];

/** Validations of documents without extensions, by version of OpenRPC, which schema-utils-js knows. */
const withoutExtensions = new Map<Json, Validation>();

/** Returns the validation of documents with the version and the extensions of this one. */
function validationOf(document: JsonObject): Validation {
  const known = withoutExtensions.get(document['openrpc']!);
  const isPlain = listAt(document, 'x-extensions').length === 0;
  if (isPlain && known !== undefined) return known;
  const validate = createValidation(metaSchemaOf(document), DOCUMENT_ID);
  if (isPlain) withoutExtensions.set(document['openrpc']!, validate);
  return validate;
}

let validateSchema: Validation | undefined;

/** Finds what is wrong with schemas that schema-utils-js does not get: those of and in extensions. */
function findBadSchemas(document: JsonObject): readonly Violation[] {
  const declared = listAt(document, 'x-extensions').map(({ schema = true }, index) => {
    return { schema, pointer: `${EXTENSIONS}/${index}/schema` };
  });
  // The rows of another vendor's `x-errors` may hold data of another shape: see `buildErrors`.
  const own = [...extensionSchemas(document)].filter(
    ({ holder, key }) => key !== 'data' || textAt(holder as JsonObject, 'name') !== '',
  );
  const schemas = [...declared, ...own];
  if (schemas.length === 0) return [];
  const validate = (validateSchema ??= createValidation(jsonSchemaParts(), JSON_SCHEMA_ID));
  return schemas.flatMap(({ schema, pointer }) =>
    validate(schema).map((each) => ({ ...each, pointer: pointer + each.pointer })),
  );
}

/** Returns why a value is not an OpenRPC document of a supported version, or null if it is one. */
export function findUnreadable(document: Json): PointerDiagnostic | null {
  const fix = 'see https://spec.open-rpc.org';
  if (!isObject(document))
    return { message: 'not an OpenRPC document: expected an object', fix, pointer: '' };
  const { openrpc } = document;
  const other = ['openapi', 'swagger', 'asyncapi'].find((key) => key in document);
  if (openrpc === undefined && other !== undefined) {
    const message = `not an OpenRPC document: "${other}" belongs to a different specification`;
    return { message, fix, pointer: `/${other}` };
  }
  if (openrpc === undefined) {
    return {
      message: 'not an OpenRPC document: "openrpc", the version of the specification, is missing',
      fix: 'add it, such as "openrpc": "1.3.2"',
      pointer: '',
    };
  }
  if (typeof openrpc === 'string' && /^1\.[0-4](?:\.|$)/.test(openrpc)) return null;
  const message = `version ${JSON.stringify(openrpc)} of OpenRPC is not supported`;
  return { message, fix: 'use 1.0 to 1.4, such as "1.3.2"', pointer: '/openrpc' };
}

function schemaUtilsDiagnostic(document: JsonObject): PointerDiagnostic | null {
  const clone = shortenEnums(document);
  replaceServerUrls(clone);
  const text = schemaUtilsMessage(clone);
  if (text === null) return null;
  // Its messages span many lines; the reason is between two lines of dashes. It repeats the name of an
  // extension, which may have line breaks.
  const reason = /-----\n(?:Error: |TypeError: )?([^]*)\n-----/.exec(text)?.[1];
  const message = reason ?? `it does not follow the specification${firstOf(text)}`;
  const pointer = reason === undefined ? '' : EXTENSIONS;
  return { message, fix: 'see https://spec.open-rpc.org', pointer };
}

function schemaUtilsMessage(document: JsonObject): string | null {
  try {
    const result = validateOpenRPCDocument(
      document as Parameters<typeof validateOpenRPCDocument>[0],
    );
    return result === true ? null : result.message;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the first error in a message of schema-utils-js, used when no other error is known. */
function firstOf(message: string): string {
  const [, path] = /"dataPath": "(.*)"/.exec(message) ?? [];
  const [, reason] = /"message": "(.*)"/.exec(message) ?? [];
  return path === undefined || reason === undefined ? '' : ` at ${path}: ${reason}`;
}

function createValidation(parts: readonly MetaSchemaPart[], id: string): Validation {
  // The descriptions in the meta-schema do not help authors; the allowed keys do.
  const facts = Object.entries(factsOfAll(parts)).flatMap(([path, { keys }]) =>
    keys ? [[path, { keys }]] : [],
  );
  const check = createCheck(parts, id, {
    // One more shows that there are too many.
    maxFindings: MAX_ERRORS + 1,
    maxErrorsInLoop: MAX_RAW_ERRORS,
    facts: Object.fromEntries(facts) as Facts,
    formats: {
      regex: isPattern,
      [SERVER_URL]: isServerUrl,
      uri: (text) => URL.canParse(text) && !/\s/.test(text),
      'uri-reference': (text) => !/[\s\\]|#.*#/.test(text),
    },
  });
  return (value) => check(value).map(toDiagnostic);
}
