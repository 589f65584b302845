import type { ErrorCatalog } from '../errors/catalog.ts';
import { err, ok } from '../errors/result.ts';
import type { Backend } from '../rpc/call.ts';
import type { Head } from '../upstream/health/probes.ts';
import type { GatewayMethod } from './method-table.ts';
import type { Protocol, ServiceSource, ServiceMethod } from './protocol.ts';

/** Returns the service methods of a `family`; if not `served`, only those that every family has. */
export function serviceMethods(
  { serviceMethods: rows }: Pick<Protocol, 'serviceMethods'>,
  { family, served }: { readonly family: string; readonly served: boolean },
): ReadonlyMap<string, GatewayMethod> {
  const offered = rows.filter((row) => row.family === null || (served && row.family === family));
  return new Map(offered.map((row) => [row.name, toGatewayMethod(row)]));
}

function toGatewayMethod({ name, family, summary, source }: ServiceMethod): GatewayMethod {
  const violation = {
    pointer: '',
    param: null,
    keyword: 'maxItems',
    expected: 'no params',
    message: `${name} takes no params`,
  };
  return {
    name,
    // The document is large and free.
    isOncePerBatch: source === 'document',
    validateParams: (params) => (Array.isArray(params) && params.length === 0 ? [] : [violation]),
    entry: {
      name,
      credits: 0,
      family,
      summary,
      stability: 'stable',
      deprecated: false,
      deprecatedSince: null,
      sunset: null,
      docs: null,
      params: [],
      forwarding: false,
      gasCaps: [],
      normalize: [],
      nullMembers: [],
      blocks: [],
      nullIfNotFound: false,
      immutable: null,
      errors: [],
    },
    service: source,
    reverts: false,
  };
}

/** What the gateway knows without calling a node. */
export interface ServiceFacts {
  readonly document: Buffer;
  /** Version of the interface. */
  readonly version: string;
  /** Returns the chain id in decimal digits; undefined while unknown. */
  readonly identity: () => string | undefined;
  /** Returns the newest block; undefined while no upstream is healthy. */
  readonly head: () => Pick<Head, 'number'> | undefined;
}

/** Wraps a backend so that the gateway handles service methods itself, free of charge. */
export function handleServiceMethods<C>(
  backend: Backend<GatewayMethod, C>,
  facts: ServiceFacts,
  errors: ErrorCatalog,
): Backend<GatewayMethod, C> {
  return (call, caller, signal) => {
    const { service } = call.method;
    if (service === undefined) return backend(call, caller, signal);
    const result = sources[service](facts);
    return result === undefined ? err(errors.fail('no_upstream')) : ok(result);
  };
}

const sources: Readonly<Record<ServiceSource, (facts: ServiceFacts) => Buffer | undefined>> = {
  document: ({ document }) => document,
  'chain-id': ({ identity }) => quoted(quantity(identity())),
  'network-id': ({ identity }) => quoted(identity()),
  'block-number': ({ head }) => quoted(quantity(head()?.number)),
  'client-version': ({ version }) => quoted(`Specgate/v${version}`),
};

function quantity(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : `0x${BigInt(value).toString(16)}`;
}

function quoted(text: string | undefined): Buffer | undefined {
  return text === undefined ? undefined : Buffer.from(JSON.stringify(text));
}
