/** Documents in which the names that every object of JavaScript inherits stand wherever a name may. */
import type { Document } from './document.ts';

export const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];

/** A name of no meaning, of the form of the others. */
export const PLAIN = 'someMember';

/** A document of one method for each name, in which everything is called by it. */
export function documentNaming(names: readonly string[]): Document {
  const all = (part: (name: string) => object): object =>
    Object.fromEntries(names.map((name) => [name, part(name)]));
  const document = {
    openrpc: '1.3.2',
    info: {
      title: 'Names',
      version: '1.0.0-constructor.1',
      description: 'Names.',
      license: { name: 'MIT' },
    },
    servers: [
      {
        name: 'main',
        url: `https://h.example/${names.map((name) => `\${${name}}`).join('/')}`,
        variables: all((name) => ({ default: name, 'x-of': { [name]: 1 } })),
      },
    ],
    methods: names.map(methodNaming),
    components: {
      schemas: all(schemaNaming),
      contentDescriptors: all((name) => descriptor(name, `#/components/schemas/${name}`)),
      errors: all(() => ({ code: 7, message: 'It failed.' })),
      tags: all((name) => ({ name, description: 'A group.' })),
      examples: all((name) => ({ name, summary: 'One.', value: { [name]: 'a' } })),
      examplePairingObjects: all(pairing),
    },
    'x-errors': names.map((name) => ({
      name: `${name} failed`,
      error: name,
      code: 7,
      reason: name,
      message: 'It failed.',
      data: { type: 'object', properties: { [name]: { format: name }, other: { format: name } } },
    })),
    'x-extensions': names.map((name) => ({
      openrpcExtension: '0.0.0-development',
      name: `x-${name}`,
      version: '1.0.0',
      summary: 'One.',
      restricted: ['methodObject'],
      schema: { type: 'object', properties: { [name]: { type: 'integer' } } },
    })),
  };
  return document;
}

function methodNaming(name: string): object {
  return {
    name,
    summary: 'One.',
    paramStructure: 'either',
    tags: [{ $ref: `#/components/tags/${name}` }],
    params: [{ $ref: `#/components/contentDescriptors/${name}` }],
    result: descriptor(name, `#/components/schemas/${name}`),
    errors: [{ $ref: `#/components/errors/${name}` }],
    links: [{ name, method: name, params: { [name]: { [name]: 'b' } } }],
    examples: [{ $ref: `#/components/examplePairingObjects/${name}` }],
    [`x-${name}`]: { [name]: 1 },
    'x-network-family': name,
    'x-transports': { supported: [name] },
  };
}

function descriptor(name: string, $ref: string): object {
  return { name, summary: 'One.', required: true, schema: { $ref } };
}

function schemaNaming(name: string): object {
  return {
    type: 'object',
    title: name,
    description: 'One.',
    required: [name],
    properties: {
      [name]: { type: 'string', title: 'A text', 'x-expected': 'a text', minLength: 1 },
      other: { $ref: `#/components/schemas/${name}` },
      formatted: { type: 'string', description: 'A text.', format: name, minLength: 1 },
    },
    patternProperties: { [`^${name}_`]: { type: 'integer' } },
    dependencies: { [name]: { type: 'object' } },
    additionalProperties: false,
  };
}

function pairing(name: string): object {
  const $ref = `#/components/examples/${name}`;
  return { name, summary: 'One.', params: [{ $ref }], result: { $ref } };
}

/** An object with one member of this name, its own. */
export function valueNaming(name: string, value: unknown): object {
  return Object.fromEntries([[name, value]]);
}

/** Changes to the document of one name. */
export const mutations = [
  mutation('nothing', () => ['info', 'title'], 'Names'),
  mutation('the property has another type', propertyOf, { type: 'integer' }),
  mutation(
    'the property has no text for messages',
    (name) => [...propertyOf(name), 'x-expected'],
    3,
  ),
  mutation(
    'the format is another',
    (name) => [...schemaOf(name), 'properties', 'formatted', 'format'],
    'another',
  ),
  mutation('the property is gone', (name) => [...schemaOf(name), 'properties'], {}),
  mutation('the property is optional', (name) => [...schemaOf(name), 'required'], []),
  mutation('the component is gone', () => ['components', 'schemas'], {}),
  mutation('the method is gone', () => ['methods'], []),
  mutation('the parameter is gone', () => ['methods', '0', 'params'], []),
  mutation(
    'the parameter is optional',
    (name) => ['components', 'contentDescriptors', name, 'required'],
    false,
  ),
  mutation('the example has another type', (name) => ['components', 'examples', name, 'value'], 1),
  mutation('the error has another code', (name) => ['components', 'errors', name, 'code'], 8),
  mutation('the variable is gone', () => ['servers', '0', 'variables'], {}),
  mutation(
    'the variable has another default',
    (name) => ['servers', '0', 'variables', name, 'default'],
    'other',
  ),
  mutation('the extension is not declared', () => ['x-extensions'], []),
];

function schemaOf(name: string): readonly string[] {
  return ['components', 'schemas', name];
}

function propertyOf(name: string): readonly string[] {
  return [...schemaOf(name), 'properties', name];
}

/** A change that replaces what stands at a path. */
function mutation(what: string, pathOf: (name: string) => readonly string[], value: unknown) {
  const mutate = (name: string): Document => {
    const document = documentNaming([name]);
    let holder: unknown = document;
    const path = pathOf(name);
    for (const token of path.slice(0, -1)) holder = (holder as Record<string, unknown>)[token];
    (holder as Record<string, unknown>)[path.at(-1)!] = value;
    return document;
  };
  return { what, mutate };
}
