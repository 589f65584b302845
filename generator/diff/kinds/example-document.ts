import type { Json, JsonObject } from '../../../common/json/value.ts';
import type { Fragment } from './kind.ts';

/** The document that an example of a kind speaks of a part of. */
export function exampleDocument(fragment: Fragment): JsonObject {
  const base: JsonObject = {
    openrpc: '1.3.2',
    info: { title: 'Demo', version: '1.0.0' },
    methods: [methodWith({ type: 'string' }, { type: 'string' })],
  };
  if ('param' in fragment) {
    return { ...base, methods: [methodWith(fragment.param, { type: 'string' })] };
  }
  if ('result' in fragment) {
    return { ...base, methods: [methodWith({ type: 'string' }, fragment.result)] };
  }
  if ('method' in fragment) {
    return {
      ...base,
      methods: [{ ...methodWith({ type: 'string' }, { type: 'string' }), ...fragment.method }],
    };
  }
  if ('methods' in fragment) return { ...base, methods: fragment.methods };
  return { ...base, ...fragment.document };
}

function methodWith(param: Json, result: Json): JsonObject {
  return {
    name: 'demo',
    paramStructure: 'by-position',
    params: [{ name: 'value', required: true, schema: param }],
    result: { name: 'result', schema: result },
  };
}
