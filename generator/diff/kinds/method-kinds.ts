import type { JsonObject } from '../../../common/json/value.ts';
import {
  ADDS,
  BREAKS,
  BREAKS_SOURCE,
  kind,
  INFORMS,
  WARNS_BREAKS_SOURCE,
  type Kind,
} from './kind.ts';

const result = { name: 'result', schema: { type: 'string' } };
const demo: JsonObject = { name: 'demo', params: [], result };
const other: JsonObject = {
  name: 'other',
  params: [{ name: 'index', required: true, schema: { type: 'integer' } }],
  result: { name: 'result', schema: { type: 'boolean' } },
};
const renamed: JsonObject = { ...other, name: 'another' };

/** Kinds of changes of methods as such: whether they are there, for how long, and how they answer. */
export const methodKinds: readonly Kind[] = [
  kind('method-added', {
    title: 'a method was added',
    impact: ADDS,
    section: 'added',
    why: 'Calls that were made before are as they were.',
    fix: 'nothing: callers may call it when they like',
    example: [{ methods: [demo] }, { methods: [demo, other] }],
    reverse: 'method-removed-without-deprecation',
  }),
  kind('method-renamed', {
    title: 'a method has another name',
    impact: BREAKS,
    section: 'changed',
    why: 'Calls by the old name fail.',
    fix: 'keep the method under its old name too, deprecated',
    example: [{ methods: [demo, other] }, { methods: [demo, renamed] }],
    reverse: 'method-renamed',
  }),
  kind('param-structure-narrowed', {
    title: 'parameters can be given in one way only, or in another than before',
    impact: BREAKS,
    section: 'changed',
    why: 'Calls that give them in the way that is gone are refused.',
    fix: 'accept both ways: paramStructure either',
    example: [
      { method: { paramStructure: 'either' } },
      { method: { paramStructure: 'by-position' } },
    ],
    reverse: 'param-structure-widened',
  }),
  kind('param-structure-widened', {
    title: 'parameters can be given in another way too',
    impact: ADDS,
    section: 'changed',
    why: 'Calls in the way that was are as they were.',
    fix: 'nothing',
    example: [
      { method: { paramStructure: 'by-position' } },
      { method: { paramStructure: 'either' } },
    ],
    reverse: 'param-structure-narrowed',
  }),
  kind('result-removed', {
    title: 'a method is no longer answered',
    impact: BREAKS,
    section: 'removed',
    why: 'Callers wait for an answer that does not come.',
    fix: 'keep the result',
    example: [{ methods: [demo] }, { methods: [{ name: 'demo', params: [] }] }],
    reverse: 'result-added',
  }),
  kind('result-added', {
    title: 'a method that was a notification is answered',
    impact: WARNS_BREAKS_SOURCE,
    section: 'added',
    why: 'Callers who send it as a notification still can; generated clients wait for the answer now.',
    fix: 'callers give it an id and read the answer',
    example: [{ methods: [{ name: 'demo', params: [] }] }, { methods: [demo] }],
    reverse: 'result-removed',
  }),
  kind('result-renamed', {
    title: 'a result has another name',
    impact: INFORMS,
    section: 'documentation',
    why: 'The name is for readers; it does not travel.',
    fix: 'nothing',
    example: [
      { methods: [demo] },
      { methods: [{ ...demo, result: { ...result, name: 'answer' } }] },
    ],
    reverse: 'result-renamed',
  }),
  kind('method-docs-changed', {
    title: 'what is said of a method for readers changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Summary, description, tags, links and external documentation do not travel.',
    fix: 'nothing',
    example: [{ method: { summary: 'Old.' } }, { method: { summary: 'New.' } }],
    reverse: 'method-docs-changed',
  }),
  kind('example-added', {
    title: 'an example was added',
    impact: INFORMS,
    section: 'documentation',
    why: 'Examples are for readers and for mocks.',
    fix: 'nothing',
    example: [
      { method: {} },
      { method: { examples: [{ name: 'one', params: [{ name: 'value', value: 'a' }] }] } },
    ],
    reverse: 'example-removed',
  }),
  kind('example-removed', {
    title: 'an example is gone',
    impact: INFORMS,
    section: 'documentation',
    why: 'Examples are for readers and for mocks.',
    fix: 'nothing',
    example: [
      { method: { examples: [{ name: 'one', params: [{ name: 'value', value: 'a' }] }] } },
      { method: {} },
    ],
    reverse: 'example-added',
  }),
  kind('example-changed', {
    title: 'an example changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Examples are for readers and for mocks.',
    fix: 'nothing',
    example: [
      { method: { examples: [{ name: 'one', params: [{ name: 'value', value: 'a' }] }] } },
      { method: { examples: [{ name: 'one', params: [{ name: 'value', value: 'b' }] }] } },
    ],
    reverse: 'example-changed',
  }),
  kind('component-schema-removed', {
    title: 'a named schema is gone',
    impact: BREAKS_SOURCE,
    section: 'removed',
    why: 'Generated code has a type of that name, which callers import.',
    fix: 'keep it, or generate with the older document until callers have moved on',
    example: [
      { document: { components: { schemas: { Tag: { type: 'string' } } } } },
      { document: { components: { schemas: {} } } },
    ],
    reverse: 'component-schema-added',
  }),
  kind('component-schema-added', {
    title: 'a named schema was added',
    impact: ADDS,
    section: 'added',
    why: 'Generated code has one type more.',
    fix: 'nothing',
    example: [
      { document: { components: { schemas: {} } } },
      { document: { components: { schemas: { Tag: { type: 'string' } } } } },
    ],
    reverse: 'component-schema-removed',
  }),
  kind('component-schema-renamed', {
    title: 'a named schema has another name',
    impact: BREAKS_SOURCE,
    section: 'changed',
    why: 'Generated code has the type under another name than callers import.',
    fix: 'keep the old name too, as a $ref to the new one',
    example: [
      { document: { components: { schemas: { Tag: { enum: ['a', 'b'] } } } } },
      { document: { components: { schemas: { Label: { enum: ['a', 'b'] } } } } },
    ],
    reverse: 'component-schema-renamed',
  }),
];
