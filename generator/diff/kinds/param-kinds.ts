import type { Json, JsonObject } from '../../../common/json/value.ts';
import {
  ADDS,
  BREAKS,
  BREAKS_SOURCE,
  kind,
  INFORMS,
  WARNS,
  type Fragment,
  type Kind,
} from './kind.ts';

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
const optional = { required: false };
const integer = { schema: { type: 'integer' } };
const [a, b] = [param('a'), param('b', integer)];
const withDefault = (value: Json): JsonObject =>
  param('a', { ...optional, schema: { type: 'string', default: value } });

/** Kinds of changes of parameters; what their schemas allow is among the kinds of schemas. */
export const paramKinds: readonly Kind[] = [
  kind('param-added-required', {
    title: 'a parameter was added that has to be given',
    impact: BREAKS,
    section: 'added',
    why: 'Calls without it are refused.',
    fix: 'make it optional, with what held before as its default',
    example: [byPosition(a), byPosition(a, b)],
    reverse: 'param-removed',
  }),
  kind('param-added-optional', {
    title: 'a parameter was added that may be left out',
    impact: ADDS,
    section: 'added',
    why: 'Calls without it are as they were.',
    fix: 'nothing: callers may give it when they like',
    example: [byPosition(a), byPosition(a, param('b', { ...integer, ...optional }))],
    reverse: 'param-removed',
  }),
  kind('param-inserted', {
    title: 'a parameter was added before others that go by position',
    impact: BREAKS,
    section: 'added',
    why: 'Arguments of calls that were written before stand one place too early.',
    fix: 'add it at the end',
    example: [byPosition(a), byPosition(param('b', { ...integer, ...optional }), a)],
    reverse: 'param-removed',
  }),
  kind('param-removed', {
    title: 'a parameter is gone',
    impact: BREAKS,
    section: 'removed',
    why: 'Calls that give it are refused, or, where others follow by position, are read wrongly.',
    fix: 'keep it, optional and deprecated',
    example: [byPosition(a, b), byPosition(a)],
    reverse: 'param-added-required',
  }),
  kind('params-reordered', {
    title: 'parameters that go by position stand in another order',
    impact: BREAKS,
    section: 'changed',
    why: 'Arguments of calls that were written before are read as others.',
    fix: 'keep the order',
    example: [byPosition(a, b), byPosition(b, a)],
    reverse: 'params-reordered',
  }),
  kind('named-params-reordered', {
    title: 'parameters that go by name stand in another order',
    impact: INFORMS,
    section: 'documentation',
    why: 'By name, the order says nothing.',
    fix: 'nothing',
    example: [byName(a, b), byName(b, a)],
    reverse: 'named-params-reordered',
  }),
  kind('param-renamed', {
    title: 'a parameter that goes by position has another name',
    impact: BREAKS_SOURCE,
    section: 'changed',
    why: 'The name does not travel; generated types, documentation and error messages use it.',
    fix: 'keep the name, or announce it to users of generated code',
    example: [byPosition(a), byPosition(param('c'))],
    reverse: 'param-renamed',
  }),
  kind('named-param-renamed', {
    title: 'a parameter that goes by name has another name',
    impact: BREAKS,
    section: 'changed',
    why: 'Calls that give it by its old name are refused.',
    fix: 'accept the old name too, as an optional and deprecated parameter',
    example: [byName(a), byName(param('c'))],
    reverse: 'named-param-renamed',
  }),
  kind('param-became-required', {
    title: 'a parameter that could be left out has to be given',
    impact: BREAKS,
    section: 'changed',
    why: 'Calls without it are refused.',
    fix: 'keep it optional, with what held before as its default',
    example: [byPosition(param('a', optional)), byPosition(a)],
    reverse: 'param-became-optional',
  }),
  kind('param-became-optional', {
    title: 'a parameter may be left out',
    impact: ADDS,
    section: 'changed',
    why: 'Calls that give it are as they were.',
    fix: 'nothing',
    example: [byPosition(a), byPosition(param('a', optional))],
    reverse: 'param-became-required',
  }),
  kind('param-default-changed', {
    title: 'a parameter that is left out means something else',
    impact: BREAKS,
    section: 'changed',
    why: 'Calls without it get another answer, without any error.',
    fix: 'keep the default; callers who need it give the value themselves',
    example: [byPosition(withDefault('latest')), byPosition(withDefault('safe'))],
    reverse: 'param-default-changed',
  }),
  kind('param-default-removed', {
    title: 'it is no longer said what a parameter that is left out means',
    impact: WARNS,
    section: 'changed',
    why: 'Calls without it rely on what was said.',
    fix: 'keep the default; callers who need it give the value themselves',
    example: [byPosition(withDefault('latest')), byPosition(param('a', optional))],
    reverse: 'param-default-added',
  }),
  kind('param-default-added', {
    title: 'it is said now what a parameter that is left out means',
    impact: ADDS,
    section: 'changed',
    why: 'Nothing was promised before.',
    fix: 'callers make sure that it is what they expect',
    example: [byPosition(param('a', optional)), byPosition(withDefault('latest'))],
    reverse: 'param-default-removed',
  }),
  kind('param-deprecated', {
    title: 'a parameter is deprecated',
    impact: ADDS,
    section: 'deprecated',
    why: 'It still works; callers should stop using it.',
    fix: 'callers leave it out',
    example: [
      byPosition(param('a', optional)),
      byPosition(param('a', { ...optional, deprecated: true })),
    ],
    reverse: 'param-no-longer-deprecated',
  }),
  kind('param-no-longer-deprecated', {
    title: 'a parameter is no longer deprecated',
    impact: ADDS,
    section: 'changed',
    why: 'It works as it did.',
    fix: 'nothing',
    example: [
      byPosition(param('a', { ...optional, deprecated: true })),
      byPosition(param('a', optional)),
    ],
    reverse: 'param-deprecated',
  }),
  kind('param-docs-changed', {
    title: 'what is said of a parameter for readers changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Summary and description do not travel.',
    fix: 'nothing',
    example: [
      byPosition(param('a', { summary: 'Old.' })),
      byPosition(param('a', { summary: 'New.' })),
    ],
    reverse: 'param-docs-changed',
  }),
  kind('member-default-changed', {
    title: 'a member that is left out means something else',
    impact: WARNS,
    section: 'changed',
    why: 'Calls without it may be answered otherwise than before. (JSON Schema calls a default of a member an annotation; servers need not apply it.)',
    fix: 'keep the default; callers who need it give the value themselves',
    example: [
      { param: { type: 'object', properties: { a: { type: 'integer', default: 1 } } } },
      { param: { type: 'object', properties: { a: { type: 'integer', default: 2 } } } },
    ],
    reverse: 'member-default-changed',
  }),
  kind('member-deprecated', {
    title: 'a member is deprecated',
    impact: ADDS,
    section: 'deprecated',
    why: 'It still works; callers should stop using it.',
    fix: 'callers do without',
    example: [
      { param: { type: 'object', properties: { a: { type: 'integer' } } } },
      { param: { type: 'object', properties: { a: { type: 'integer', deprecated: true } } } },
    ],
    reverse: 'member-no-longer-deprecated',
  }),
  kind('member-no-longer-deprecated', {
    title: 'a member is no longer deprecated',
    impact: ADDS,
    section: 'changed',
    why: 'It works as it did.',
    fix: 'nothing',
    example: [
      { param: { type: 'object', properties: { a: { type: 'integer', deprecated: true } } } },
      { param: { type: 'object', properties: { a: { type: 'integer' } } } },
    ],
    reverse: 'member-deprecated',
  }),
  kind('schema-docs-changed', {
    title: 'what is said of values for readers changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Titles, descriptions and examples in schemas do not travel.',
    fix: 'nothing',
    example: [
      { param: { type: 'string', description: 'Old.' } },
      { param: { type: 'string', description: 'New.' } },
    ],
    reverse: 'schema-docs-changed',
  }),
];
