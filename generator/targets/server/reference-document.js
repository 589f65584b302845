import { isDeepStrictEqual } from 'node:util';

const FORMATS = new Set([
  'date',
  'date-time',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'regex',
  'time',
  'uri',
  'uri-reference',
  'uuid',
]);

const SCHEMAS = '#/components/schemas/';

const DEFINITIONS = '#/definitions/';

/**
 * Converts a document to the form that schema-utils-js and server-js read: references to content
 * descriptors and examples are resolved, and each schema has the component schemas it needs in its own
 * `definitions`.
 */
export function referenceDocument(document) {
  const { openrpc, info, components } = document;
  const methods = document.methods.map((reference) => {
    const method = follow(document, reference);
    const params = method.params.map((param) => descriptor(follow(document, param), components));
    const result = follow(document, method.result ?? { name: 'none', schema: { type: 'null' } });
    return {
      ...method,
      params,
      result: descriptor(result, components),
      errors: method.errors?.map((error) => follow(document, error)),
      examples: examplesOf(document, method),
    };
  });
  return { openrpc, info, methods };
}

/** Returns the first example of a method with these params, by position or by name, or undefined. */
export function findExample(document, name, params) {
  const methods = document.methods.map((each) => follow(document, each));
  const examples = methods.find((method) => method.name === name)?.examples ?? [];
  return examples
    .map((example) => follow(document, example))
    .find((example) => hasParams(document, example, params));
}

function hasParams(document, example, params) {
  const given = (example.params ?? []).map((param) => follow(document, param));
  const values = Array.isArray(params)
    ? given.map(({ value }) => value)
    : Object.fromEntries(given.map((param) => [param.name, param.value]));
  return isDeepStrictEqual(values, params);
}

// server-js cannot use examples of errors, which have no result, or examples without params.
function examplesOf(document, method) {
  const examples = method.examples?.map((example) => follow(document, example)) ?? [];
  const usable = examples.filter(({ params, result }) => params !== undefined && result);
  if (usable.length === 0) return undefined;
  return usable.map((example) => ({
    ...example,
    params: example.params.map((param) => follow(document, param)),
    result: follow(document, example.result),
  }));
}

function descriptor(value, components) {
  return { ...value, schema: wholeSchema(value.schema ?? true, components) };
}

function wholeSchema(schema, components) {
  const definitions = new Map();
  const ahead = namesIn(schema);
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    // A reference below an unknown keyword may lead into a component.
    if (definitions.has(name) || !Object.hasOwn(components.schemas, name)) continue;
    definitions.set(name, localize(components.schemas[name]));
    ahead.push(...namesIn(components.schemas[name]));
  }
  // Siblings of a reference, `definitions` among them, are ignored, so it is replaced with its target.
  let local = localize(schema);
  for (let hops = 0; typeof local.$ref === 'string' && hops < 100; hops += 1) {
    local = definitions.get(nameOf(local.$ref, DEFINITIONS));
  }
  // Mock generators do not support boolean schemas.
  if (typeof local === 'boolean') return local ? {} : { not: {} };
  return definitions.size === 0
    ? local
    : { ...local, definitions: Object.fromEntries(definitions) };
}

function namesIn(schema) {
  const names = [];
  JSON.stringify(schema, (key, value) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMAS)) {
      names.push(nameOf(value));
    }
    return value;
  });
  return names;
}

function nameOf(reference, folder = SCHEMAS) {
  return decodeURIComponent(reference.slice(folder.length))
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** Points references to `definitions` and removes formats that Ajv 6 does not support. */
function localize(schema) {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMAS)) {
      return DEFINITIONS + value.slice(SCHEMAS.length);
    }
    return key === 'format' && typeof value === 'string' && !FORMATS.has(value) ? undefined : value;
  });
}

/** Resolves a reference within the document. */
function follow(document, value) {
  let found = value;
  for (let hops = 0; typeof found?.$ref === 'string' && hops < 100; hops += 1) {
    const tokens = found.$ref.replace(/^#\/?/, '').split('/').filter(Boolean);
    found = tokens.reduce(
      (part, token) =>
        part?.[decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
  }
  return found;
}
