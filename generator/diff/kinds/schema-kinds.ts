import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, WARNS, WARNS_BREAKS_SOURCE, type Impact, type Kind } from './kind.ts';

/** The aspects of a schema that have kinds of changes of their own. */
export interface Aspect {
  readonly name: AspectName;
  /** The kind's name where fewer values are allowed than before, and where more are. */
  readonly narrowed: string;
  readonly widened: string;
  /** What became of it, in words, for fewer and for more. */
  readonly titles: readonly [narrowed: string, widened: string];
  /** A schema that allows more, and one that allows less. */
  readonly example: readonly [wide: Json, narrow: Json];
  /** Where more values in a result are less than an error. */
  readonly widenedResult?: Impact;
}

export type AspectName =
  | 'type'
  | 'null'
  | 'value'
  | 'bound'
  | 'multiple'
  | 'length'
  | 'pattern'
  | 'format'
  | 'item-count'
  | 'unique'
  | 'contains'
  | 'items'
  | 'required'
  | 'required-property'
  | 'additional'
  | 'pattern-properties'
  | 'names'
  | 'property-count'
  | 'dependency'
  | 'variant'
  | 'schema';

const object = (properties: Json, more: object = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});
const tightened = (noun: string) => [`${noun}-tightened`, `${noun}-loosened`] as const;

type Row = readonly [
  name: AspectName,
  names: readonly [string, string],
  titles: readonly [string, string],
  example: readonly [Json, Json],
  widenedResult?: Impact,
];

const rows: readonly Row[] = [
  [
    'type',
    ['type-narrowed', 'type-widened'],
    ['a type of values is no longer allowed', 'another type of values is allowed'],
    [{ type: ['string', 'integer'] }, { type: 'string' }],
  ],
  [
    'null',
    ['null-refused', 'null-allowed'],
    ['null is no longer allowed', 'null is allowed'],
    [{ type: ['string', 'null'] }, { type: 'string' }],
  ],
  [
    'value',
    ['value-removed', 'value-added'],
    ['a value is no longer among those listed', 'a value was added to those listed'],
    [{ enum: ['latest', 'safe'] }, { enum: ['latest'] }],
    WARNS_BREAKS_SOURCE,
  ],
  [
    'bound',
    tightened('bound'),
    ['a number has a tighter bound', 'a number has a looser bound'],
    [
      { type: 'integer', minimum: 0, maximum: 100 },
      { type: 'integer', minimum: 0, maximum: 50 },
    ],
  ],
  [
    'multiple',
    tightened('multiple-of'),
    ['multipleOf became stricter', 'multipleOf became looser'],
    [{ type: 'integer' }, { type: 'integer', multipleOf: 5 }],
  ],
  [
    'length',
    tightened('length'),
    ['a text has tighter bounds of its length', 'a text has looser bounds of its length'],
    [
      { type: 'string', maxLength: 64 },
      { type: 'string', maxLength: 32 },
    ],
  ],
  [
    'pattern',
    tightened('pattern'),
    ['a pattern matches fewer texts', 'a pattern matches more texts'],
    [
      { type: 'string', pattern: '^0x[0-9a-fA-F]+$' },
      { type: 'string', pattern: '^0x[0-9a-f]+$' },
    ],
  ],
  [
    'format',
    tightened('format'),
    ['a text has a stricter format', 'a text has a less strict format'],
    [{ type: 'string' }, { type: 'string', format: 'base64' }],
  ],
  [
    'item-count',
    tightened('item-count'),
    ['a list has tighter bounds of its length', 'a list has looser bounds of its length'],
    [
      { type: 'array', maxItems: 4 },
      { type: 'array', maxItems: 2 },
    ],
  ],
  [
    'unique',
    ['unique-items-demanded', 'duplicate-items-allowed'],
    ['list elements must now be unique', 'list elements need not be unique any more'],
    [{ type: 'array' }, { type: 'array', uniqueItems: true }],
  ],
  [
    'contains',
    tightened('contains'),
    ['a list has to contain more', 'a list has to contain less'],
    [{ type: 'array' }, { type: 'array', contains: { type: 'string' } }],
  ],
  [
    'items',
    tightened('items'),
    ['elements of a list allow fewer values', 'elements of a list allow more values'],
    [{ type: 'array' }, { type: 'array', items: { type: 'string' } }],
  ],
  [
    'required',
    ['property-became-required', 'property-became-optional'],
    ['a member that could be left out cannot be', 'a member that was always there may be left out'],
    [object({ a: { type: 'string' } }), object({ a: { type: 'string' } }, { required: ['a'] })],
  ],
  [
    'required-property',
    ['required-property-added', 'required-property-removed'],
    ['a member was added that cannot be left out', 'a member that was always there is gone'],
    [
      object({ a: { type: 'string' } }),
      object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b'] }),
    ],
  ],
  [
    'additional',
    ['other-members-restricted', 'other-members-allowed'],
    ['additional properties are restricted', 'additional properties are less restricted'],
    [
      object({ a: { type: 'string' } }),
      object({ a: { type: 'string' } }, { additionalProperties: false }),
    ],
    WARNS,
  ],
  [
    'pattern-properties',
    tightened('pattern-properties'),
    ['members whose names match allow less', 'members whose names match allow more'],
    [{ type: 'object' }, { type: 'object', patternProperties: { '^x-': { type: 'string' } } }],
  ],
  [
    'names',
    tightened('property-names'),
    ['fewer names of members are allowed', 'more names of members are allowed'],
    [{ type: 'object' }, { type: 'object', propertyNames: { pattern: '^[a-z]+$' } }],
  ],
  [
    'property-count',
    tightened('property-count'),
    ['an object has tighter bounds of its size', 'an object has looser bounds of its size'],
    [{ type: 'object' }, { type: 'object', maxProperties: 3 }],
  ],
  [
    'dependency',
    tightened('dependency'),
    ['a member asks for more beside it', 'a member asks for less beside it'],
    [object({ a: {}, b: {} }), object({ a: {}, b: {} }, { dependencies: { a: ['b'] } })],
  ],
  [
    'variant',
    ['variant-removed', 'variant-added'],
    ['a variant of a union is gone', 'a union has another variant'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { anyOf: [{ type: 'string' }] }],
  ],
  [
    'schema',
    ['schema-narrowed', 'schema-widened'],
    ['fewer values are allowed', 'more values are allowed'],
    [{ type: 'string' }, { type: 'string', not: { const: 'latest' } }],
  ],
];

export const aspects: ReadonlyMap<AspectName, Aspect> = new Map(
  rows.map(([name, [narrowed, widened], titles, example, widenedResult]) => [
    name,
    { name, narrowed, widened, titles, example, ...(widenedResult && { widenedResult }) },
  ]),
);

const WHY = {
  request: {
    narrowed:
      'Calls that were answered before are refused. Every value that was allowed has to stay so.',
    widened: 'What was allowed before is allowed still, and more.',
  },
  response: {
    narrowed: 'All that callers may meet now, they could meet before.',
    widened:
      'Callers may receive values that were not documented: code that reads the result, and validators, fail.',
  },
} as const;

const FIXES = {
  request: {
    narrowed: 'allow what was allowed before, or make it a new method',
    widened: 'nothing: callers may use it when they like',
  },
  response: {
    narrowed: 'nothing: callers may drop what handled the rest',
    widened: 'keep results to what they were, or make it a new method; callers have to handle it',
  },
} as const;

function kindsOf(aspect: Aspect): readonly Kind[] {
  const { narrowed, widened, titles, example, widenedResult = BREAKS } = aspect;
  const [wide, narrow] = example;
  return (['request', 'response'] as const).flatMap((direction) => {
    const noun = direction === 'request' ? 'in a parameter' : 'in a result';
    const member = direction === 'request' ? 'param' : 'result';
    const wrap = (schema: Json) => ({ [member]: schema }) as { param: Json };
    const common = { section: 'changed' } as const;
    return [
      kind(`${direction}-${narrowed}`, {
        ...common,
        title: `${titles[0]}, ${noun}`,
        impact: direction === 'request' ? BREAKS : ADDS,
        why: WHY[direction].narrowed,
        fix: FIXES[direction].narrowed,
        example: [wrap(wide), wrap(narrow)],
        reverse: `${direction}-${widened}`,
      }),
      kind(`${direction}-${widened}`, {
        ...common,
        title: `${titles[1]}, ${noun}`,
        impact: direction === 'request' ? ADDS : widenedResult,
        why: WHY[direction].widened,
        fix: FIXES[direction].widened,
        example: [wrap(narrow), wrap(wide)],
        reverse: `${direction}-${narrowed}`,
      }),
    ];
  });
}

/** Kinds of changes of schemas: each aspect in both directions. */
export const schemaKinds: readonly Kind[] = [...aspects.values()].flatMap(kindsOf);
