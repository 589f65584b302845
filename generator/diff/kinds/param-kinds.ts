import type { Json, JsonObject } from '../../../common/json/value.ts';
import { ADDS, BREAKS, BREAKS_SOURCE, kind, INFORMS, WARNS, type Fragment } from './kind.ts';

const param = (name: string, more: object = {}): JsonObject => ({
  name,
  required: true,
  schema: { type: 'string' },
  ...more,
});
const byPosition = (...params: readonly JsonObject[]): Fragment => ({
  method: { paramStructure: 'by-position', params: params as readonly Json[] },
});
const byName = (...params: readonly JsonObject[]): Fragment => ({
  method: { paramStructure: 'by-name', params: params as readonly Json[] },
});
const integer = { schema: { type: 'integer' } };
const [a, b] = [param('a'), param('b', integer)];
const optional = param('a', { required: false });
const optionalB = param('b', { ...integer, required: false });
const deprecated = param('a', { required: false, deprecated: true });
const withDefault = (value: Json): Fragment =>
  byPosition(param('a', { required: false, schema: { type: 'string', default: value } }));
const member = (more: object): Fragment => ({
  param: { type: 'object', properties: { a: { type: 'integer', ...more } } },
});

/** Kinds of changes of parameters; what their schemas allow is among the kinds of schemas. */
export const paramKinds = [
  kind('param-added-required', BREAKS, {
    title: 'a required parameter was added',
    section: 'added',
    why: 'Calls without it are rejected.',
    fix: 'make it optional, with the previous behavior as its default',
    migration: 'pass the parameter in every call',
    example: [byPosition(a), byPosition(a, b)],
    reverse: 'param-removed',
  }),
  kind('param-added-optional', ADDS, {
    title: 'an optional parameter was added',
    section: 'added',
    why: 'Existing calls are not affected.',
    fix: 'nothing: callers can pass it when they need it',
    example: [byPosition(a), byPosition(a, optionalB)],
    reverse: 'param-removed',
  }),
  kind('param-inserted', BREAKS, {
    title: 'a positional parameter was added before others',
    section: 'added',
    why: 'The arguments of existing calls shift by one position.',
    fix: 'add it at the end',
    migration: 'move the arguments after it by one position',
    example: [byPosition(a), byPosition(optionalB, a)],
    reverse: 'param-removed',
  }),
  kind('param-removed', BREAKS, {
    title: 'a parameter was removed',
    section: 'removed',
    why: 'Calls that pass it are rejected or, if other parameters follow by position, misread.',
    fix: 'keep it as an optional, deprecated parameter',
    migration: 'omit the argument',
    example: [byPosition(a, b), byPosition(a)],
    reverse: 'param-added-required',
  }),
  kind('params-reordered', BREAKS, {
    title: 'positional parameters were reordered',
    why: 'The arguments of existing calls go to the wrong parameters.',
    fix: 'keep the order',
    migration: 'pass the arguments in the new order',
    example: [byPosition(a, b), byPosition(b, a)],
  }),
  kind('named-params-reordered', INFORMS, {
    title: 'named parameters were reordered',
    section: 'documentation',
    why: 'The order of parameters passed by name has no meaning.',
    example: [byName(a, b), byName(b, a)],
  }),
  kind('param-renamed', BREAKS_SOURCE, {
    title: 'a positional parameter was renamed',
    why: 'The name is not sent; generated types, documentation and error messages use it.',
    fix: 'keep the name, or announce it to users of generated code',
    migration: 'regenerate the client, and use the new name',
    example: [byPosition(a), byPosition(param('c'))],
  }),
  kind('named-param-renamed', BREAKS, {
    title: 'a named parameter was renamed',
    why: 'Calls that use the old name are rejected.',
    fix: 'accept the old name too, as an optional and deprecated parameter',
    migration: 'pass the argument by its new name',
    example: [byName(a), byName(param('c'))],
  }),
  kind('param-became-required', BREAKS, {
    title: 'an optional parameter became required',
    why: 'Calls without it are rejected.',
    fix: 'keep it optional, with the previous behavior as its default',
    migration: 'pass the argument in every call',
    example: [byPosition(optional), byPosition(a)],
    reverse: 'param-became-optional',
  }),
  kind('param-became-optional', ADDS, {
    title: 'a required parameter became optional',
    why: 'Existing calls are not affected.',
    example: [byPosition(a), byPosition(optional)],
    reverse: 'param-became-required',
  }),
  kind('param-default-changed', BREAKS, {
    title: 'the default of a parameter changed',
    why: 'Calls without it get a different result, and no error.',
    fix: 'keep the default, or ask callers who rely on it to pass the value explicitly',
    migration: 'pass the old value explicitly if you rely on it',
    example: [withDefault('latest'), withDefault('safe')],
  }),
  kind('param-default-removed', WARNS, {
    title: 'the default of a parameter was removed',
    why: 'Calls without it rely on the documented default.',
    fix: 'keep the default, or ask callers who rely on it to pass the value explicitly',
    migration: 'pass the value explicitly if you rely on it',
    example: [withDefault('latest'), byPosition(optional)],
    reverse: 'param-default-added',
  }),
  kind('param-default-added', ADDS, {
    title: 'a parameter got a default',
    why: 'The document promised no default before.',
    fix: 'ask callers to check that it is what they expect',
    example: [byPosition(optional), withDefault('latest')],
    reverse: 'param-default-removed',
  }),
  kind('param-deprecated', ADDS, {
    title: 'a parameter is deprecated',
    section: 'deprecated',
    why: 'It still works; callers should stop using it.',
    fix: 'ask callers to omit it',
    example: [byPosition(optional), byPosition(deprecated)],
    reverse: 'param-no-longer-deprecated',
  }),
  kind('param-no-longer-deprecated', ADDS, {
    title: 'a parameter is no longer deprecated',
    why: 'It works as before.',
    example: [byPosition(deprecated), byPosition(optional)],
    reverse: 'param-deprecated',
  }),
  kind('param-docs-changed', INFORMS, {
    title: 'the documentation of a parameter changed',
    section: 'documentation',
    why: 'Summary and description are not sent.',
    example: [
      byPosition(param('a', { summary: 'Old.' })),
      byPosition(param('a', { summary: 'New.' })),
    ],
  }),
  kind('member-default-changed', WARNS, {
    title: 'the default of a member changed',
    why: 'Calls without it may get a different result. (In JSON Schema, the default of a member is an annotation that servers need not apply.)',
    fix: 'keep the default, or ask callers who rely on it to pass the value explicitly',
    migration: 'pass the old value explicitly if you rely on it',
    example: [member({ default: 1 }), member({ default: 2 })],
  }),
  kind('member-deprecated', ADDS, {
    title: 'a member is deprecated',
    section: 'deprecated',
    why: 'It still works; callers should stop using it.',
    fix: 'ask callers to stop using it',
    example: [member({}), member({ deprecated: true })],
    reverse: 'member-no-longer-deprecated',
  }),
  kind('member-no-longer-deprecated', ADDS, {
    title: 'a member is no longer deprecated',
    why: 'It works as before.',
    example: [member({ deprecated: true }), member({})],
    reverse: 'member-deprecated',
  }),
  kind('schema-docs-changed', INFORMS, {
    title: 'the documentation of a schema changed',
    section: 'documentation',
    why: 'Titles, descriptions and examples are not sent.',
    example: [
      { param: { type: 'string', description: 'Old.' } },
      { param: { type: 'string', description: 'New.' } },
    ],
  }),
];
