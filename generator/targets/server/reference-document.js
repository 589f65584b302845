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
 * descriptors and examples are resolved, and each schema with references has `definitions`. Schemas and
 * content descriptors that refer to a component share it: copies could be far larger than the document.
 */
export function referenceDocument(document) {
  const { openrpc, info, components } = document;
  const definitions = Object.fromEntries(
    Object.entries(components?.schemas ?? {}).map(([name, schema]) => [name, localize(schema)]),
  );
  const converted = new Map();
  const descriptor = (reference) => {
    const value = follow(document, reference);
    if (!converted.has(value)) {
      const schema = wholeSchema(value.schema ?? true, definitions);
      converted.set(value, { ...value, schema });
    }
    return converted.get(value);
  };
  const methods = document.methods.map((reference) => {
    const method = follow(document, reference);
    return {
      ...method,
      params: method.params.map(descriptor),
      result: descriptor(method.result ?? { name: 'none', schema: { type: 'null' } }),
      errors: method.errors?.map((error) => follow(document, error)),
      examples: examplesOf(document, method),
    };
  });
  return { openrpc, info, methods };
}

/**
 * Creates a function that returns the first example of a method with these params, by position or by name,
 * or undefined. The examples are found by a key, so that params are not compared with each of them.
 */
export function createExampleFinder(document) {
  const methods = document.methods.map((each) => follow(document, each));
  const byName = new Map(methods.map((method) => [method.name, byParams(document, method)]));
  return (name, params) => {
    const examples = byName.get(name);
    return examples?.size > 0 ? examples.get(textOf(params)) : undefined;
  };
}

function byParams(document, method) {
  const names = method.params.map((param) => follow(document, param).name);
  const examples = (method.examples ?? []).map((each) => {
    const { params = [], ...example } = follow(document, each);
    const given = params.map((param) => follow(document, param));
    return { example: { ...example, result: follow(document, example.result) }, given };
  });
  // The first one with equal params counts.
  const entries = examples.toReversed().flatMap(({ example, given }) => {
    const named = new Map(given.map(({ name, value }) => [name, value]));
    const areNamed = names.some((name) => named.has(name));
    const ordered = areNamed
      ? names.map((name) => named.get(name))
      : given.map(({ value }) => value);
    return [ordered, Object.fromEntries(named)].map((each) => [textOf(each), example]);
  });
  return new Map(entries.filter(([key]) => key !== null));
}

/** Returns a text that only equal params have, whatever the order of members; null if nested too deeply. */
function textOf(params) {
  const last = Array.isArray(params) ? params.findLastIndex((value) => value !== undefined) : -1;
  const values = Array.isArray(params)
    ? params.slice(0, last + 1).map((value) => (value === undefined ? [] : [value]))
    : params;
  try {
    return JSON.stringify(values, (_, value) => (isObject(value) ? sorted(value) : value));
  } catch {
    return null;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(object) {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
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

function wholeSchema(schema, definitions) {
  const local = localize(schema);
  // Siblings of a reference, `definitions` among them, are ignored, so it is replaced with its target.
  let target = local;
  for (let hops = 0; typeof target.$ref === 'string' && hops < 100; hops += 1) {
    target = definitions[nameOf(target.$ref)];
  }
  // Mock generators do not support boolean schemas.
  if (typeof target === 'boolean') return target ? {} : { not: {} };
  return hasReference(local) ? { ...target, definitions } : target;
}

function hasReference(schema) {
  let isFound = false;
  JSON.stringify(schema, (key, value) => {
    if (key === '$ref' && typeof value === 'string') isFound = true;
    return isFound ? undefined : value;
  });
  return isFound;
}

function nameOf(reference) {
  return decodeURIComponent(reference.slice(DEFINITIONS.length))
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
