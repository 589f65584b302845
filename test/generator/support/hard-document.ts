/** A valid document of most of what makes generating from any document hard. */
import { documentOf, methodOf } from './document.ts';

const result = { name: 'result', schema: { type: 'string' } };

/** A schema that refers to itself where it stands, outside the components. */
const nodeSchema = {
  type: 'object',
  properties: {
    next: { $ref: '#/components/contentDescriptors/Node/schema' },
    index: { type: 'integer', minimum: 0 },
  },
};

const schemas = {
  Tree: {
    title: 'A tree',
    description: 'Recursive. */ And a comment that tries to end.',
    type: 'object',
    required: ['label'],
    properties: {
      label: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
    additionalProperties: false,
  },
  Json: {
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      { type: 'array', items: { $ref: '#/components/schemas/Json' } },
      { type: 'object', additionalProperties: { $ref: '#/components/schemas/Json' } },
    ],
  },
  // An alias that goes round in a circle without passing through a member.
  Loop: { anyOf: [{ $ref: '#/components/schemas/LoopBack' }, { type: 'string' }] },
  LoopBack: { anyOf: [{ $ref: '#/components/schemas/Loop' }, { type: 'number' }] },
  Anything: true,
  Nothing: false,
  Empty: {},
  Alias: { $ref: '#/components/schemas/Tree' },
  Foo: { type: 'string', enum: ['upper'] },
  foo: { type: 'string', enum: ['lower'] },
  'foo-bar': { type: 'integer' },
  foo_bar: { type: 'integer', minimum: 1 },
  '2d': { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
  class: { const: 'class' },
  string: { type: 'string' },
  Methods: { type: 'null' },
  Record: { type: 'object', properties: { of: { type: 'string' } } },
  Exclude: { type: 'string' },
  Promise: { type: 'object', properties: { then: { type: 'boolean' } } },
  Tuple: {
    type: 'array',
    items: [{ type: 'string' }, { $ref: '#/components/schemas/Tree' }],
    additionalItems: { type: 'integer' },
    minItems: 1,
  },
  Pair: { type: 'array', items: { $ref: '#/components/schemas/Tree' }, minItems: 2, maxItems: 2 },
  Conditional: {
    type: 'object',
    properties: { kind: { type: 'string' }, size: { type: 'integer' } },
    if: { properties: { kind: { const: 'sized' } }, required: ['kind'] },
    then: { required: ['size'] },
    else: { not: { required: ['size'] } },
    dependencies: { size: ['kind'], kind: { maxProperties: 3 } },
  },
  Map: {
    type: 'object',
    properties: { count: { type: 'integer' } },
    additionalProperties: { type: 'string' },
    propertyNames: { pattern: '^[a-z]+$' },
  },
  Patterned: {
    type: 'object',
    patternProperties: { '^x-': { type: 'integer' } },
    additionalProperties: false,
  },
  Odd: {
    type: 'object',
    properties: { constructor: { type: 'string' }, 'a "quoted" one': true, '': { type: 'null' } },
    required: ['constructor', 'undeclared'],
  },
  Mixed: { enum: ['a', 1, null, true, { deep: [1] }] },
  Nullable: { type: ['object', 'null'], properties: { a: { type: 'string' } } },
  NoU: { type: 'string', pattern: '^\\-$' },
  Shape: {
    oneOf: [
      {
        type: 'object',
        required: ['kind', 'radius'],
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        additionalProperties: false,
      },
      {
        type: 'object',
        required: ['kind', 'side'],
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        additionalProperties: false,
      },
    ],
  },
  // Named like the result of a method, and it is: no second declaration.
  GetTreeResult: { $ref: '#/components/schemas/Tree' },
  // Named like the parameters of a method, and it is not.
  SetTreeParams: { type: 'string' },
};

const methods = [
  ...Object.keys(schemas).map((name) =>
    methodOf(
      `echo.${name}`,
      { $ref: `#/components/schemas/${name}` },
      { $ref: `#/components/schemas/${name}` },
    ),
  ),
  { name: 'getTree', params: [], result: { ...result, schema: ref('GetTreeResult') } },
  methodOf('setTree', { $ref: '#/components/schemas/Tree' }),
  methodOf('a.b', { type: 'string' }),
  methodOf('a b', { type: 'string' }),
  methodOf('ab', { type: 'string' }),
  methodOf('aB', { type: 'string' }),
  methodOf('a_b', { type: 'string' }),
  methodOf('delete', { type: 'string' }),
  methodOf('constructor', { type: 'string' }),
  methodOf('then', { type: 'string' }),
  methodOf('über/größe', { type: 'string' }),
  methodOf('***', { type: 'string' }),
  {
    name: 'optionalFirst',
    paramStructure: 'by-position',
    params: [
      { name: 'default', schema: { type: 'integer' } },
      { name: 'class', required: true, schema: { type: 'string' } },
      { name: 'last one', schema: { type: 'boolean' } },
    ],
    result,
  },
  {
    name: 'named',
    paramStructure: 'by-name',
    params: [
      { name: 'first name', required: true, schema: { type: 'string' } },
      { name: 'age', schema: { type: 'integer', minimum: 0 } },
    ],
    result,
  },
  {
    name: 'either',
    params: [
      { name: 'a', required: true, schema: { type: 'string' } },
      { name: 'b', schema: { type: 'integer' } },
    ],
    result,
  },
  { name: 'notify', params: [{ $ref: '#/components/contentDescriptors/Event' }] },
  {
    name: 'referring',
    tags: [{ $ref: '#/components/tags/Old' }, { name: 'own' }],
    params: [{ $ref: '#/components/contentDescriptors/Event' }],
    result: { $ref: '#/components/contentDescriptors/Event' },
    errors: [{ $ref: '#/components/errors/Busy' }, { code: 7, message: 'own error' }],
    examples: [{ $ref: '#/components/examplePairings/One' }],
    deprecated: true,
    'x-unknown': { $ref: 'nowhere.json' },
  },
  {
    name: 'inline',
    params: [{ name: 'node', required: true, schema: nodeSchema }],
    result: { name: 'result', schema: ref('Tree/properties/children') },
  },
];

function ref(path: string) {
  return { $ref: `#/components/schemas/${path}` };
}

export const hardDocument = documentOf(methods, {
  components: {
    schemas,
    contentDescriptors: {
      Event: { name: 'event', required: true, schema: { type: 'string' } },
      Node: { name: 'node', schema: nodeSchema },
    },
    errors: { Busy: { code: -32010, message: 'busy' } },
    tags: { Old: { name: 'old' } },
    examples: { Value: { name: 'event', value: { $ref: 'data, not a reference' } } },
    examplePairings: {
      One: {
        name: 'one',
        params: [{ $ref: '#/components/examples/Value' }],
        result: { name: 'r', value: 'x' },
      },
    },
  },
});
