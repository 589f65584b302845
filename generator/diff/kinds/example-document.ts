import type { Json, JsonObject } from '../../../common/json/value.ts';
import type { Fragment } from './kind.ts';

const string: Json = { type: 'string' };

/** Methods for examples of kinds: one without parameters, one with. */
export const demo: JsonObject = {
  name: 'demo',
  params: [],
  result: { name: 'result', schema: string },
};
export const other: JsonObject = {
  name: 'other',
  params: [{ name: 'index', required: true, schema: { type: 'integer' } }],
  result: { name: 'result', schema: { type: 'boolean' } },
};

/** Returns the document that an example of a kind shows a part of. */
export function exampleDocument(fragment: Fragment): JsonObject {
  const { param = string, result = string, method, methods, document } = fragment as JsonObject;
  const own = {
    name: 'demo',
    paramStructure: 'by-position',
    params: [{ name: 'value', required: true, schema: param }],
    result: { name: 'result', schema: result },
    ...(method as JsonObject | undefined),
  };
  return {
    openrpc: '1.3.2',
    info: { title: 'Demo', version: '1.0.0' },
    methods: methods ?? [own],
    ...(document as JsonObject | undefined),
  };
}
