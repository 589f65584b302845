import type { Json, JsonObject } from '../../../common/json/value.ts';
import {
  ADDS,
  BREAKS,
  BREAKS_SOURCE,
  demo,
  kind,
  INFORMS,
  other,
  WARNS_BREAKS_SOURCE,
  type Fragment,
} from './kind.ts';

const notification: JsonObject = { name: 'demo', params: [] };
const structure = (paramStructure: string): Fragment => ({ method: { paramStructure } });
const example = (value: string): Fragment => ({
  method: { examples: [{ name: 'one', params: [{ name: 'value', value }] }] },
});
const schema = (schemas: JsonObject): Fragment => ({ document: { components: { schemas } } });
const tag: JsonObject = { Tag: { type: 'string' } };
const tags: Json = { enum: ['a', 'b'] };

/** Kinds of changes of methods: their existence, names, results, documentation and examples. */
export const methodKinds = [
  kind('method-added', ADDS, {
    title: 'a method was added',
    section: 'added',
    why: 'Existing calls are not affected.',
    fix: 'nothing: callers can call it when they need it',
    example: [{ methods: [demo] }, { methods: [demo, other] }],
    reverse: 'method-removed-without-deprecation',
  }),
  kind('method-renamed', BREAKS, {
    title: 'a method was renamed',
    why: 'Calls to the old name fail.',
    fix: 'keep the old name too, as a deprecated method',
    migration: 'call it by its new name',
    example: [{ methods: [demo, other] }, { methods: [demo, { ...other, name: 'another' }] }],
  }),
  kind('param-structure-narrowed', BREAKS, {
    title: 'parameters can be passed in only one way, or in a different way than before',
    why: 'Calls that use the removed way are rejected.',
    fix: 'accept both ways (paramStructure: either)',
    migration: 'pass the parameters in the remaining way',
    example: [structure('either'), structure('by-position')],
    reverse: 'param-structure-widened',
  }),
  kind('param-structure-widened', ADDS, {
    title: 'parameters can also be passed in a second way',
    why: 'Existing calls are not affected.',
    example: [structure('by-position'), structure('either')],
    reverse: 'param-structure-narrowed',
  }),
  kind('result-removed', BREAKS, {
    title: 'a method no longer returns a result',
    section: 'removed',
    why: 'Callers wait for a response that never comes.',
    fix: 'keep the result',
    migration: 'send it as a notification, and do not wait for a response',
    example: [{ methods: [demo] }, { methods: [notification] }],
    reverse: 'result-added',
  }),
  kind('result-added', WARNS_BREAKS_SOURCE, {
    title: 'a notification now returns a result',
    section: 'added',
    why: 'Callers who send it as a notification still can; generated clients now wait for the response.',
    fix: 'ask callers to send an id and to read the response',
    migration: 'send it with an id, and read the response',
    example: [{ methods: [notification] }, { methods: [demo] }],
    reverse: 'result-removed',
  }),
  kind('result-renamed', INFORMS, {
    title: 'a result was renamed',
    section: 'documentation',
    why: 'The name is documentation and is not sent.',
    example: [
      { methods: [demo] },
      { methods: [{ ...demo, result: { name: 'answer', schema: { type: 'string' } } }] },
    ],
  }),
  kind('method-docs-changed', INFORMS, {
    title: 'the documentation of a method changed',
    section: 'documentation',
    why: 'Summary, description, tags, links and external documentation are not sent.',
    example: [{ method: { summary: 'Old.' } }, { method: { summary: 'New.' } }],
  }),
  kind('example-added', INFORMS, {
    title: 'an example was added',
    section: 'documentation',
    why: 'Only readers and mocks use examples.',
    example: [{ method: {} }, example('a')],
    reverse: 'example-removed',
  }),
  kind('example-removed', INFORMS, {
    title: 'an example was removed',
    section: 'documentation',
    why: 'Only readers and mocks use examples.',
    example: [example('a'), { method: {} }],
    reverse: 'example-added',
  }),
  kind('example-changed', INFORMS, {
    title: 'an example changed',
    section: 'documentation',
    why: 'Only readers and mocks use examples.',
    example: [example('a'), example('b')],
  }),
  kind('component-schema-removed', BREAKS_SOURCE, {
    title: 'a named schema was removed',
    section: 'removed',
    why: 'Generated code has a type of that name, which callers import.',
    fix: 'keep it, or generate with the older document until callers have moved on',
    migration: 'regenerate the client, and import a different type',
    example: [schema(tag), schema({})],
    reverse: 'component-schema-added',
  }),
  kind('component-schema-added', ADDS, {
    title: 'a named schema was added',
    section: 'added',
    why: 'Generated code has an additional type.',
    example: [schema({}), schema(tag)],
    reverse: 'component-schema-removed',
  }),
  kind('component-schema-renamed', BREAKS_SOURCE, {
    title: 'a named schema was renamed',
    why: 'Callers import the generated type by its old name.',
    fix: 'keep the old name too, as a $ref to the new one',
    migration: 'regenerate the client, and import the type by its new name',
    example: [schema({ Tag: tags }), schema({ Label: tags })],
  }),
];
