import type { Backend } from '../rpc/call.ts';
import type { GatewayMethod } from './method-table.ts';

/** Service discovery, as the OpenRPC specification names it. */
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

/** The table with `rpc.discover` in it. */
export function withDiscovery(
  table: ReadonlyMap<string, GatewayMethod>,
): ReadonlyMap<string, GatewayMethod> {
  return new Map([...table, [DISCOVER, method]]);
}

/** Answers `rpc.discover` with the document, free of charge, and leaves the rest to `backend`. */
export function answerDiscovery<C>(
  backend: Backend<GatewayMethod, C>,
  document: Buffer,
): Backend<GatewayMethod, C> {
  return (call, caller, signal) =>
    call.method === method ? Promise.resolve({ result: document }) : backend(call, caller, signal);
}
