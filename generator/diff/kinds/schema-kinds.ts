import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, WARNS, WARNS_BREAKS_SOURCE, type Impact } from './kind.ts';

/** An aspect of a schema. Names and titles are given for fewer values first, then for more. */
interface Aspect {
  /** The kinds of changes without their direction; "<aspect>-tightened" and "-loosened" by default. */
  readonly names?: readonly [narrowed: string, widened: string];
  readonly titles: readonly [narrowed: string, widened: string];
  readonly example: readonly [wide: Json, narrow: Json];
  /** The impact of more values in a result, BREAKS by default. */
  readonly widenedResult?: Impact;
  /** The effect of more values in a parameter, if other than that of most aspects. */
  readonly widenedParam?: Effect;
  /** What callers have to do about more values in a result. */
  readonly resultMigration?: string;
}

const object = (properties: Json, more: object = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});

const aspects = {
  type: {
    names: ['type-narrowed', 'type-widened'],
    titles: ['a type is no longer allowed', 'an additional type is allowed'],
    example: [{ type: ['string', 'integer'] }, { type: 'string' }],
  },
  null: {
    names: ['null-disallowed', 'null-allowed'],
    titles: ['null is no longer allowed', 'null is now allowed'],
    example: [{ type: ['string', 'null'] }, { type: 'string' }],
    resultMigration: 'handle null',
  },
  value: {
    names: ['value-removed', 'value-added'],
    titles: ['a listed value was removed', 'a listed value was added'],
    example: [{ enum: ['latest', 'safe'] }, { enum: ['latest'] }],
    widenedResult: WARNS_BREAKS_SOURCE,
    resultMigration: 'handle unknown values',
  },
  bound: {
    titles: ['a number has a tighter bound', 'a number has a looser bound'],
    example: [
      { type: 'integer', minimum: 0, maximum: 100 },
      { type: 'integer', minimum: 0, maximum: 50 },
    ],
  },
  'multiple-of': {
    titles: ['multipleOf became stricter', 'multipleOf became looser'],
    example: [{ type: 'integer' }, { type: 'integer', multipleOf: 5 }],
  },
  length: {
    titles: ['a string has tighter length bounds', 'a string has looser length bounds'],
    example: [
      { type: 'string', maxLength: 64 },
      { type: 'string', maxLength: 32 },
    ],
  },
  pattern: {
    titles: ['a pattern matches fewer strings', 'a pattern matches more strings'],
    example: [
      { type: 'string', pattern: '^0x[0-9a-fA-F]+$' },
      { type: 'string', pattern: '^0x[0-9a-f]+$' },
    ],
  },
  format: {
    titles: ['a string has a stricter format', 'a string has a less strict format'],
    example: [{ type: 'string' }, { type: 'string', format: 'base64' }],
  },
  'item-count': {
    titles: ['an array has tighter length bounds', 'an array has looser length bounds'],
    example: [
      { type: 'array', maxItems: 4 },
      { type: 'array', maxItems: 2 },
    ],
  },
  unique: {
    names: ['unique-items-demanded', 'duplicate-items-allowed'],
    titles: ['array items must now be unique', 'array items may now repeat'],
    example: [{ type: 'array' }, { type: 'array', uniqueItems: true }],
  },
  contains: {
    titles: ['contains became stricter', 'contains became looser'],
    example: [{ type: 'array' }, { type: 'array', contains: { type: 'string' } }],
  },
  items: {
    titles: ['array items allow fewer values', 'array items allow more values'],
    example: [{ type: 'array' }, { type: 'array', items: { type: 'string' } }],
  },
  required: {
    names: ['property-became-required', 'property-became-optional'],
    titles: ['an optional member became required', 'a required member became optional'],
    example: [
      object({ a: { type: 'string' } }),
      object({ a: { type: 'string' } }, { required: ['a'] }),
    ],
    resultMigration: 'handle results without the member',
  },
  'required-property': {
    names: ['required-property-added', 'required-property-removed'],
    titles: ['a required member was added', 'a required member was removed'],
    example: [
      object({ a: { type: 'string' } }),
      object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b'] }),
    ],
    widenedParam: {
      impact: WARNS_BREAKS_SOURCE,
      why: 'Calls that pass it are accepted but may do something else; generated types no longer have it.',
      fix: 'keep it as deprecated, and ask callers to omit it',
      migration: 'omit the member',
    },
    resultMigration: 'stop reading the member',
  },
  additional: {
    names: ['other-members-restricted', 'other-members-allowed'],
    titles: ['additional properties are restricted', 'additional properties are less restricted'],
    example: [
      object({ a: { type: 'string' } }),
      object({ a: { type: 'string' } }, { additionalProperties: false }),
    ],
    widenedResult: WARNS,
  },
  'pattern-properties': {
    titles: [
      'members that match a pattern allow fewer values',
      'members that match a pattern allow more values',
    ],
    example: [
      { type: 'object' },
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
    ],
  },
  'property-names': {
    titles: ['fewer member names are allowed', 'more member names are allowed'],
    example: [{ type: 'object' }, { type: 'object', propertyNames: { pattern: '^[a-z]+$' } }],
  },
  'property-count': {
    titles: ['an object has tighter size bounds', 'an object has looser size bounds'],
    example: [{ type: 'object' }, { type: 'object', maxProperties: 3 }],
  },
  dependency: {
    titles: [
      'the presence of a member requires more members',
      'the presence of a member requires fewer members',
    ],
    example: [object({ a: {}, b: {} }), object({ a: {}, b: {} }, { dependencies: { a: ['b'] } })],
  },
  variant: {
    names: ['variant-removed', 'variant-added'],
    titles: ['a variant of a union was removed', 'a variant was added to a union'],
    example: [
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }] },
    ],
  },
  schema: {
    names: ['schema-narrowed', 'schema-widened'],
    titles: ['fewer values are allowed', 'more values are allowed'],
    example: [{ type: 'string' }, { type: 'string', not: { const: 'latest' } }],
  },
} as const satisfies Readonly<Record<string, Aspect>>;

export type AspectName = keyof typeof aspects;

/** The kinds of changes of an aspect, without their direction. */
type ChangeName<Name extends AspectName = AspectName> = Name extends AspectName
  ? (typeof aspects)[Name] extends { readonly names: readonly (infer Own)[] }
    ? Own
    : `${Name}-${'tightened' | 'loosened'}`
  : never;

/** Returns the kind of a change of an aspect, without its direction, and its title. */
export function describeAspect(name: AspectName, isNarrower: boolean) {
  const { names = [`${name}-tightened`, `${name}-loosened`], titles }: Aspect = aspects[name];
  const index = isNarrower ? 0 : 1;
  return { name: names[index] as ChangeName, title: titles[index] };
}

interface Effect {
  readonly impact: Impact;
  readonly why: string;
  readonly fix: string;
  readonly migration: string;
}

interface Direction {
  readonly direction: 'request' | 'response';
  readonly noun: string;
  readonly member: 'param' | 'result';
  readonly effects: readonly [narrowed: Effect, widened: Effect];
}

const directions: readonly Direction[] = [
  {
    direction: 'request',
    noun: 'in a parameter',
    member: 'param',
    effects: [
      {
        impact: BREAKS,
        why: 'Calls that were valid before are rejected. Every value that was allowed must stay allowed.',
        fix: 'allow what was allowed before, or make it a new method',
        migration: 'send only what is allowed now',
      },
      {
        impact: ADDS,
        why: 'Every value that was allowed is still allowed.',
        fix: 'nothing: callers can use it when they need it',
        migration: 'nothing',
      },
    ],
  },
  {
    direction: 'response',
    noun: 'in a result',
    member: 'result',
    effects: [
      {
        impact: ADDS,
        why: 'Callers receive only values that they could receive before.',
        fix: 'nothing: callers can drop the code that handles other values',
        migration: 'nothing',
      },
      {
        impact: BREAKS,
        why: 'Callers may receive values that the old document does not allow: code that reads the result, and validators, may fail.',
        fix: 'return only what was allowed before, or make it a new method',
        migration: 'handle the new values, and update validators',
      },
    ],
  },
];

function kindsOf(name: AspectName, { direction, noun, member, effects }: Direction) {
  const { example, widenedParam, widenedResult, resultMigration }: Aspect = aspects[name];
  const [wide, narrow] = example.map((schema) => ({ [member]: schema }) as { param: Json });
  return effects.map((effect, index) => {
    const isNarrower = index === 0;
    const isParam = direction === 'request' && !isNarrower;
    const { impact, why, fix, migration } = (isParam ? widenedParam : undefined) ?? effect;
    const own = describeAspect(name, isNarrower);
    const isResult = direction === 'response' && !isNarrower;
    return kind(`${direction}-${own.name}`, (isResult ? widenedResult : undefined) ?? impact, {
      title: `${own.title} ${noun}`,
      why,
      fix,
      migration: (isResult ? resultMigration : undefined) ?? migration,
      example: isNarrower ? [wide!, narrow!] : [narrow!, wide!],
      reverse: `${direction}-${describeAspect(name, !isNarrower).name}`,
    });
  });
}

/** Kinds of changes of schemas: each aspect in both directions. */
export const schemaKinds = (Object.keys(aspects) as AspectName[]).flatMap((name) =>
  directions.flatMap((direction) => kindsOf(name, direction)),
);
