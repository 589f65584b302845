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
