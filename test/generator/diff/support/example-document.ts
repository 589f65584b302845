import type { Json, JsonObject } from '../../../../common/json/value.ts';
import type { Fragment } from '../../../../generator/diff/kinds/kind.ts';

const string: Json = { type: 'string' };

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
