import { ok } from '../errors/result.ts';
import type { Backend } from '../rpc/call.ts';
import type { GatewayMethod } from './method-table.ts';

/** Service discovery method of the OpenRPC specification. */
const DISCOVER = 'rpc.discover';

const method: GatewayMethod = {
  name: DISCOVER,
  isOncePerBatch: true,
  validateParams: (params) =>
    Array.isArray(params) && params.length === 0
      ? []
      : [
          {
            pointer: '',
            param: null,
            keyword: 'maxItems',
            expected: 'no params',
            message: `${DISCOVER} takes no params`,
          },
        ],
  entry: {
    name: DISCOVER,
    credits: 0,
    family: null,
    summary: 'The OpenRPC document of this service.',
    stability: 'stable',
    deprecated: false,
    deprecatedSince: null,
    sunset: null,
    docs: null,
    params: [],
    forwarding: false,
    gasCaps: [],
    normalize: [],
    blocks: [],
    notFound: [],
    errors: [],
  },
  notFound: [],
  reverts: false,
};

/** Returns the table with `rpc.discover` added. */
export function withDiscovery(
  table: ReadonlyMap<string, GatewayMethod>,
): ReadonlyMap<string, GatewayMethod> {
  return new Map([...table, [DISCOVER, method]]);
}

/** Wraps a backend so that `rpc.discover` returns the document, free of charge. */
export function answerDiscovery<C>(
  backend: Backend<GatewayMethod, C>,
  document: Buffer,
): Backend<GatewayMethod, C> {
  return (call, caller, signal) =>
    call.method === method ? Promise.resolve(ok(document)) : backend(call, caller, signal);
}
