import { joinPointer } from '../../../common/json/pointer.ts';
import { isObject, isSchema, type Json } from '../../../common/json/value.ts';
import {
  mapKeywords,
  otherKeywords,
  plainKeywords,
  schemaKeywords,
  typesOfKeyword,
} from '../../schema/keywords.ts';
import { nearestName } from '../../../common/validators-runtime/nearest-name.js';
import type { ObjectSchemaPlace } from '../context.ts';
import { didYouMean, jsonSchema, rule } from '../rule.ts';
import { namesIn, typesOf } from './schema-view.ts';

const known = [...plainKeywords, ...schemaKeywords, ...mapKeywords, ...otherKeywords];

/** Keywords of later drafts and of OpenAPI that have an effect there, with the draft-07 equivalent. */
const FOREIGN: Readonly<Record<string, string>> = {
  nullable: 'OpenAPI 3.0; write {"anyOf": [..., {"type": "null"}]}',
  discriminator: 'OpenAPI; give each branch a property with a const',
  example: 'OpenAPI; write "examples", a list',
  prefixItems: 'draft 2020-12; write "items" as a list',
  unevaluatedProperties: 'draft 2019-09; write additionalProperties',
  unevaluatedItems: 'draft 2019-09; write additionalItems',
  dependentRequired: 'draft 2019-09; write dependencies',
  dependentSchemas: 'draft 2019-09; write dependencies',
  minContains: 'draft 2019-09; write contains, which requires at least one match',
  maxContains: 'draft 2019-09',
  $recursiveRef: 'draft 2019-09; write $ref',
  $dynamicRef: 'draft 2020-12; write $ref',
  divisibleBy: 'draft-03; write multipleOf',
  extends: 'draft-03; write allOf',
  disallow: 'draft-03; write not',
};

/** Keywords that later drafts have and that change nothing, or that this toolchain reads. */
const HARMLESS = new Set([
  '$anchor',
  '$defs',
  'deprecated',
  'contentSchema',
  'externalDocs',
  'xml',
]);

export const keywords = [
  rule('foreign-keyword', ['warning', 'error'], {
    title: 'Schemas use the keywords of draft-07, not those of OpenAPI or other drafts',
    protects:
      'Draft-07 validators ignore other keywords: values that these forbid are accepted, and `nullable` has no effect.',
    source: jsonSchema(
      'core',
      '6.4',
      'unknown keywords SHOULD be ignored; OpenRPC schemas use draft-07',
    ),
    fix: 'write it with draft-07 keywords',
    bad: `components: { schemas: { Name: { type: string, nullable: true } } }`,
    good: `components: { schemas: { Name: { type: [string, 'null'] } } }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        for (const key of Object.keys(schema)) {
          const meant = Object.hasOwn(FOREIGN, key) ? FOREIGN[key] : undefined;
          if (meant === undefined) continue;
          yield {
            pointer: joinPointer(pointer, key),
            message: `"${key}" has no effect in draft-07; it belongs to ${meant.split(';')[0]}`,
            fix: meant.split('; ')[1] ?? 'remove it',
          };
        }
      }
    },
  }),
  rule('misspelled-keyword', ['error', 'error'], {
    title: 'Schema keywords are spelled correctly',
    protects:
      'A misspelled keyword is silently ignored, and the values that it was meant to forbid are accepted.',
    source: jsonSchema('core', '6.4', 'keywords that are not known SHOULD be ignored'),
    fix: 'correct the spelling',
    bad: `components: { schemas: { User: { type: object, additionalProperies: false } } }`,
    good: `components: { schemas: { User: { type: object, additionalProperties: false } } }`,
    *check({ schemas }) {
      for (const { key, value, pointer } of unknownKeys(schemas)) {
        if (isOfDescriptor(key, value)) {
          const message = '"schema" belongs to a content descriptor, but this is a JSON Schema';
          yield { pointer, message, fix: 'move its contents up one level' };
          continue;
        }
        const meant = meantKeyword(key, value);
        if (meant === null) continue;
        yield {
          pointer,
          message: `unknown JSON Schema keyword "${key}"`,
          fix: `did you mean "${meant}"?`,
        };
      }
    },
  }),
  rule('unknown-keyword', ['off', 'warning'], {
    title: 'Schemas contain only JSON Schema keywords and extensions',
    protects: 'Other members have no defined meaning; tools drop them.',
    source: jsonSchema('core', '6.4', 'keywords that are not known SHOULD be ignored'),
    fix: 'remove it, or start its name with "x-" and declare it in x-extensions',
    bad: `components: { schemas: { User: { type: object, author: someone } } }`,
    good: `components: { schemas: { User: { type: object, x-author: someone } } }`,
    *check({ schemas }) {
      for (const { key, value, pointer } of unknownKeys(schemas)) {
        if (isOfDescriptor(key, value) || meantKeyword(key, value) !== null) continue;
        yield { pointer, message: `unknown JSON Schema keyword "${key}"` };
      }
    },
  }),
  rule('keyword-without-effect', ['warning', 'error'], {
    title: 'Keywords apply to a type the schema allows',
    protects: 'A keyword for another type has no effect: `minimum` on a string never fails.',
    source: jsonSchema(
      'validation',
      '3.1',
      'keywords for one type of value ignore values of other types',
    ),
    fix: 'remove it, or correct the type',
    bad: `components: { schemas: { Amount: { type: string, minimum: 1 } } }`,
    good: `components: { schemas: { Amount: { type: integer, minimum: 1 } } }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        const types = typesOf(schema);
        if (types === null || typeof schema['$ref'] === 'string') continue;
        for (const key of Object.keys(schema)) {
          const about = typesOfKeyword.get(key);
          if (about === undefined || about.some((type) => types.has(type))) continue;
          const message = `"${key}" applies to ${about[0]}s, but the type is ${[...types].join(' or ')}`;
          yield { pointer: joinPointer(pointer, key), message };
        }
      }
    },
  }),
  rule('required-undescribed', ['warning', 'error'], {
    title: 'Required members are described',
    protects: 'Callers have to send a member that is not described; often its name is misspelled.',
    source: jsonSchema(
      'validation',
      '6.5.3',
      'required applies to members whether or not properties describes them',
    ),
    fix: 'describe it in properties, or correct its name',
    bad: `components:
  schemas:
    User: { type: object, required: [nmae], properties: { name: { type: string } } }`,
    good: `components:
  schemas:
    User: { type: object, required: [name], properties: { name: { type: string } } }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        const properties = schema['properties'];
        // A part of a combination may require what another part describes.
        const isPart = /\/(?:allOf|anyOf|oneOf|not|if|then|else|dependencies)(?:\/|$)/.test(
          pointer,
        );
        const isOpen = ['allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', '$ref'].some(
          (key) => key in schema,
        );
        if (!isObject(properties) || isPart || isOpen || schema['additionalProperties'] === false)
          continue;
        if (isObject(schema['additionalProperties'])) continue;
        for (const [index, name] of namesIn(schema, 'required').entries()) {
          if (Object.hasOwn(properties, name)) continue;
          const fix = didYouMean(name, Object.keys(properties));
          const message = `"${name}" is required but not described in properties`;
          const at = `${pointer}/required/${index}`;
          yield { pointer: at, message, ...fix };
        }
      }
    },
  }),
  rule('array-items', ['off', 'warning'], {
    title: 'Arrays describe their items',
    protects:
      'Without items, an array is `unknown[]` in every generated type, and its elements are never checked.',
    source: jsonSchema('validation', '6.4.1', 'without items, elements may be anything'),
    fix: 'add items, or items: true if any value is allowed',
    bad: `components: { schemas: { Logs: { type: array } } }`,
    good: `components: { schemas: { Logs: { type: array, items: { type: string } } } }`,
    *check({ schemas }) {
      for (const { schema, pointer } of schemas) {
        const says = ['items', 'contains', '$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const'];
        if (schema['type'] !== 'array' || schema['maxItems'] === 0) continue;
        if (says.some((key) => key in schema)) continue;
        yield { pointer, message: 'the array does not describe its items' };
      }
    },
  }),
];

function* unknownKeys(schemas: readonly ObjectSchemaPlace[]) {
  for (const { schema, pointer } of schemas) {
    for (const [key, value] of Object.entries(schema)) {
      if (key.startsWith('x-') || known.includes(key)) continue;
      if (Object.hasOwn(FOREIGN, key) || HARMLESS.has(key)) continue;
      yield { key, value, pointer: joinPointer(pointer, key) };
    }
  }
}

/** Whether a content descriptor was written where its schema belongs. */
function isOfDescriptor(key: string, value: Json): boolean {
  return key === 'schema' && isSchema(value);
}

/** Checks whether a keyword may have a value: the draft-07 keywords that start with "$" have strings. */
const isMeant = (keyword: string, value: Json) =>
  !keyword.startsWith('$') || typeof value === 'string';

/** Returns the keyword that `key` is probably a misspelling of, or null. */
function meantKeyword(key: string, value: Json): string | null {
  const nearest = nearestName(
    key,
    known.filter((keyword) => isMeant(keyword, value)),
  );
  if (nearest === null || nearest.toLowerCase() === key.toLowerCase()) return nearest;
  if (nearest.slice(1) === key && nearest.startsWith('$')) return nearest;
  const isLong = key.length >= 6 && Math.abs(key.length - nearest.length) <= 2;
  return isLong && sharesEnds(key, nearest) ? nearest : null;
}

// A typing error leaves most of the word unchanged.
function sharesEnds(a: string, b: string): boolean {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end >= Math.max(a.length, b.length) - 2;
}
