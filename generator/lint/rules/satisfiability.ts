import { canonicalSchema } from '../../containment/canonical.ts';
import { joinPointer } from '../../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { jsonSchema, rule, type RuleFinding } from '../rule.ts';
import { findInfinite } from './infinite.ts';
import { followed, namesIn, typesOf } from './schema-view.ts';
import { schemaList } from '../../schema/subschemas.ts';

const LIMITS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

export const satisfiability = [
  rule('impossible-bounds', ['error', 'error'], {
    title: 'Bounds do not contradict each other',
    protects: 'No value is valid: every call is rejected, or every result violates the document.',
    source: jsonSchema('validation', '6.2', 'a value has to be within both bounds'),
    fix: 'correct one of the bounds',
    bad: `components: { schemas: { Port: { type: integer, minimum: 65535, maximum: 1 } } }`,
    good: `components: { schemas: { Port: { type: integer, minimum: 1, maximum: 65535 } } }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        for (const [low, high] of LIMITS) {
          const [least, most] = [schema[low], schema[high]];
          if (typeof least !== 'number' || typeof most !== 'number' || least <= most) continue;
          const message = `${low} ${least} is above ${high} ${most}`;
          yield { pointer: joinPointer(pointer, low), message };
        }
        yield* exclusiveBounds(schema, pointer);
        const required = new Set(namesIn(schema, 'required')).size;
        const most = schema['maxProperties'];
        if (typeof most === 'number' && required > most) {
          const message = `${required} members are required, but maxProperties is ${most}`;
          yield { pointer: `${pointer}/maxProperties`, message };
        }
      }
    },
  }),
  rule('required-impossible', ['error', 'error'], {
    title: 'Schemas allow the members that they require',
    protects: 'An object that requires a forbidden member is never valid.',
    source: jsonSchema(
      'validation',
      '6.5.6',
      'additionalProperties applies to every member not described',
    ),
    fix: 'describe the member in properties, or make it optional',
    bad: `components:
  schemas:
    User: { type: object, properties: { id: true }, required: [id, name], additionalProperties: false }`,
    good: `components:
  schemas:
    User: { type: object, properties: { id: true }, required: [id], additionalProperties: false }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        if (schema['additionalProperties'] !== false) continue;
        const own = objectAt(schema, 'properties');
        const hasPatterns = Object.keys(objectAt(schema, 'patternProperties')).length > 0;
        for (const [index, name] of namesIn(schema, 'required').entries()) {
          if (hasPatterns || (Object.hasOwn(own, name) && own[name] !== false)) continue;
          const at = `${pointer}/required/${index}`;
          const message = `"${name}" is required, but additionalProperties forbids it`;
          yield { pointer: at, message };
        }
      }
    },
  }),
  rule('conflicting-types', ['error', 'error'], {
    title: 'The parts of an allOf have a type in common',
    protects: 'A value has only one type, so no value is valid, and generators write `never`.',
    source: jsonSchema(
      'validation',
      '6.7.1',
      'a value has to be valid against every schema of allOf',
    ),
    fix: 'use anyOf, or correct the type',
    bad: `components:
  schemas:
    Id: { allOf: [{ type: string }, { type: integer }] }`,
    good: `components:
  schemas:
    Id: { anyOf: [{ type: string }, { type: integer }] }`,
    *check({ schemas, document }) {
      for (const { schema, pointer } of schemas) {
        const parts = schemaList(schema['allOf']).map((part) => followed(document, part));
        let common = typesOf(schema);
        for (const [index, part] of parts.entries()) {
          const types = typesOf(part);
          if (types === null) continue;
          const left = common === null ? types : shared(types, common);
          if (left.size === 0) {
            const at = `${pointer}/allOf/${index}`;
            yield {
              pointer: at,
              message: `no value is of type ${[...types].join(' or ')} and of type ${[...common!].join(' or ')}`,
            };
            break;
          }
          common = left;
        }
      }
    },
  }),
  rule('closed-all-of', ['error', 'error'], {
    title: 'No part of an allOf forbids what another part describes',
    protects:
      '`additionalProperties: false` applies only to the properties beside it: in an allOf, it forbids those of the other parts.',
    source: jsonSchema(
      'validation',
      '6.5.6',
      'additionalProperties depends on properties and patternProperties of the same schema only',
    ),
    fix: 'set additionalProperties only in a schema that describes all members',
    bad: `components:
  schemas:
    Base: { type: object, properties: { id: true }, additionalProperties: false }
    User: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { name: true } }] }`,
    good: `components:
  schemas:
    Base: { type: object, properties: { id: true } }
    User: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { name: true } }] }`,
    *check({ schemas, document }) {
      for (const { schema, pointer } of schemas) {
        const branches = schemaList(schema['allOf']).map((part) => followed(document, part));
        if (branches.length === 0) continue;
        const parts = [...branches, schema];
        const described = parts.flatMap((part) =>
          isObject(part) ? Object.keys(objectAt(part, 'properties')) : [],
        );
        for (const [index, part] of parts.entries()) {
          if (!isObject(part) || part['additionalProperties'] !== false) continue;
          if (Object.keys(objectAt(part, 'patternProperties')).length > 0) continue;
          const own = objectAt(part, 'properties');
          const refused = [...new Set(described)].filter((name) => !Object.hasOwn(own, name));
          if (refused.length === 0) continue;
          const allOf = `${pointer}/allOf`;
          const at =
            part === schema ? `${pointer}/additionalProperties` : joinPointer(allOf, index);
          const message = `additionalProperties here forbids ${list(refused)} of the other parts`;
          yield { pointer: at, message };
        }
      }
    },
  }),
  rule('duplicate-branch', ['error', 'error'], {
    title: 'Branches of a union are different',
    protects: 'Two equal branches of a oneOf always match together, so neither ever matches alone.',
    source: jsonSchema(
      'validation',
      '6.7.3',
      'a value must be valid against exactly one schema of oneOf',
    ),
    fix: 'remove one of them, or correct it',
    bad: `components: { schemas: { Id: { oneOf: [{ type: string }, { type: string }] } } }`,
    good: `components: { schemas: { Id: { oneOf: [{ type: string }, { type: integer }] } } }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
          const keys = new Set<string>();
          for (const [index, branch] of schemaList(schema[keyword]).entries()) {
            const key = canonicalSchema(assertions(branch));
            const at = joinPointer(joinPointer(pointer, keyword), index);
            const effect = keyword === 'oneOf' ? ', so that neither can be valid alone' : '';
            if (keys.has(key))
              yield {
                pointer: at,
                message: `this branch of ${keyword} repeats an earlier one${effect}`,
              };
            keys.add(key);
          }
        }
      }
    },
  }),
  rule('infinite-schema', ['error', 'error'], {
    title: 'Recursive schemas can end',
    protects:
      'A schema that always requires itself describes only infinite values: no finite value is valid, and generators of samples and forms never finish.',
    source: jsonSchema(
      'core',
      '8.3',
      'schemas MUST NOT make use of references that recurse infinitely',
    ),
    fix: 'make one member of the cycle optional, or allow null',
    bad: `components:
  schemas:
    Node: { type: object, required: [next], properties: { next: { $ref: '#/components/schemas/Node' } } }`,
    good: `components:
  schemas:
    Node: { type: object, properties: { next: { $ref: '#/components/schemas/Node' } } }`,
    *check({ document }) {
      for (const name of findInfinite(document)) {
        const message = `every value of "${name}" must contain another value of "${name}", without end`;
        yield { pointer: joinPointer('/components/schemas', name), message };
      }
    },
  }),
];

function* exclusiveBounds(schema: JsonObject, pointer: string): Generator<RuleFinding> {
  const { minimum, maximum, exclusiveMinimum: over, exclusiveMaximum: under } = schema;
  const number = (value: Json | undefined) => (typeof value === 'number' ? value : null);
  const low = number(over) ?? number(minimum);
  const high = number(under) ?? number(maximum);
  if (low === null || high === null || (over ?? under) === undefined || low < high) return;
  const key = number(over) === null ? 'exclusiveMaximum' : 'exclusiveMinimum';
  const message = `no number is above ${low} and below ${high}`;
  yield { pointer: joinPointer(pointer, key), message };
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((each) => b.has(each)));
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ');
}

function assertions(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const { title: _t, description: _d, examples: _e, ...rest } = schema;
  return rest;
}
