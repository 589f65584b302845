import type { Method, Retirement, Backend } from '../rpc/call.ts';
import type { MethodEntry, Protocol } from './protocol.ts';
import { ok } from '../errors/result.ts';

/** A method of the gateway, with its row of the generated table. */
export interface GatewayMethod extends Method {
  readonly entry: MethodEntry;
  /** Node errors that mean "not found". */
  readonly notFound: readonly { readonly code: number; readonly message: RegExp }[];
  /** Whether a node's revert is normalized, whatever the node's dialect. */
  readonly reverts: boolean;
}

/** Returns the methods of a network of `family`, by name. */
export function methodTable(
  protocol: Protocol,
  family: string,
): ReadonlyMap<string, GatewayMethod> {
  const table = new Map<string, GatewayMethod>();
  for (const entry of Object.values(protocol.methods)) {
    if (entry.family !== null && entry.family !== family) continue;
    const validateParams = protocol.validateParams[entry.name];
    if (validateParams === undefined) throw new Error(`no validator of params for ${entry.name}`);
    table.set(entry.name, {
      name: entry.name,
      validateParams,
      retirement: retirementOf(entry),
      entry,
      notFound: entry.notFound.map(({ code, message }) => ({ code, message: new RegExp(message) })),
      reverts: entry.errors.some((name) => protocol.errors[name]?.reason === 'execution_reverted'),
    });
  }
  return table;
}

/** Returns the retirement of a method; undefined when none is planned. */
function retirementOf(entry: MethodEntry): Retirement | undefined {
  const isDeprecated = entry.deprecated || entry.stability === 'deprecated';
  const sunset_ms = readDate(entry.sunset);
  if (!isDeprecated && sunset_ms === undefined) return undefined;
  // The header needs a date: an unknown one is only known to have passed.
  const deprecated_ms = isDeprecated ? (readDate(entry.deprecatedSince) ?? 0) : undefined;
  return { deprecated_ms, sunset_ms, docs: readUrl(entry.docs) };
}

function readDate(text: string | null): number | undefined {
  const date_ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date_ms) ? undefined : date_ms;
}

/** Returns an absolute URL, encoded so that it can be sent in a header. */
function readUrl(text: string | null): string | undefined {
  return text !== null && URL.canParse(text) ? new URL(text).href : undefined;
}

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
