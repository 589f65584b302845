import type { Json, JsonObject } from '../../../common/json/value.ts';
import { shown, type LintContext, type ObjectSchemaPlace } from '../context.ts';
import { jsonSchema, rule, type RuleFinding } from '../rule.ts';

/** Reports every way in which a value in a schema, at the pointer `at`, violates that schema. */
function* breaches(
  { checkValue }: LintContext,
  { schema, pointer }: ObjectSchemaPlace,
  { value, at, noun }: { readonly value: Json; readonly at: string; readonly noun: string },
): Generator<RuleFinding> {
  if (typeof schema['$ref'] === 'string') return;
  for (const { path, what } of checkValue(schema, value)) {
    yield { pointer: pointer + at + path, message: `${noun} does not match its schema: ${what}` };
  }
}

export const values = [
  rule('default-valid', ['error', 'error'], {
    title: 'Defaults are valid against their schemas',
    protects: 'A call with the default value is rejected.',
    source: jsonSchema('validation', '10.2', 'a default value SHOULD be valid against its schema'),
    fix: 'correct the default, or the schema',
    bad: `components: { schemas: { Limit: { type: integer, minimum: 1, default: 0 } } }`,
    good: `components: { schemas: { Limit: { type: integer, minimum: 1, default: 1 } } }`,
    *check(context) {
      for (const place of context.schemas) {
        const value = place.schema['default'];
        if (value === undefined) continue;
        yield* breaches(context, place, { value, at: '/default', noun: 'the default' });
      }
    },
  }),
  rule('schema-example-valid', ['error', 'error'], {
    title: 'Schema examples are valid',
    protects: 'Documentation shows them and forms are prefilled with them.',
    source: jsonSchema(
      'validation',
      '10.4',
      'it is RECOMMENDED that examples be valid against their schema',
    ),
    fix: 'correct the example, or the schema',
    bad: `components: { schemas: { Hash: { type: string, pattern: '^0x', examples: [deadbeef] } } }`,
    good: `components: { schemas: { Hash: { type: string, pattern: '^0x', examples: ['0xdeadbeef'] } } }`,
    *check(context) {
      for (const place of context.schemas) {
        const list = place.schema['examples'];
        if (!Array.isArray(list)) continue;
        for (const [index, value] of (list as readonly Json[]).entries()) {
          yield* breaches(context, place, { value, at: `/examples/${index}`, noun: 'an example' });
        }
      }
    },
  }),
  rule('enum-valid', ['error', 'error'], {
    title: 'Values of enum and const are allowed by their schema',
    protects:
      'A value that the type forbids is offered in documentation and types but always rejected.',
    source: jsonSchema(
      'validation',
      '6.1',
      'a value is valid only if type, enum and const all allow it',
    ),
    fix: 'remove the value, or correct the type',
    bad: `components: { schemas: { Severity: { type: integer, enum: [1, 2, '3'] } } }`,
    good: `components: { schemas: { Severity: { type: integer, enum: [1, 2, 3] } } }`,
    *check(context) {
      for (const { schema, pointer, ...place } of context.schemas) {
        const list = schema['enum'];
        const rest = without(schema, 'enum', 'const');
        const holder = { ...place, schema: rest, pointer };
        if (Object.keys(rest).every((key) => !/^(?:type|pattern|m[ai][nx])/.test(key))) continue;
        for (const [index, value] of (Array.isArray(list) ? list : []).entries()) {
          const noun = `the value ${shown(value as Json)}`;
          yield* breaches(context, holder, { value: value as Json, at: `/enum/${index}`, noun });
        }
        const value = schema['const'];
        if (value === undefined) continue;
        yield* breaches(context, holder, { value, at: '/const', noun: 'the constant' });
      }
    },
  }),
];

function without(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}
