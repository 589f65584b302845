import { parseExact, printExact } from '../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

interface NetworkFacts {
  readonly name: string;
  readonly offers: (method: string) => boolean;
  /** Base address of the network for callers; undefined if the configuration sets none. */
  readonly publicUrl: string | undefined;
}

/**
 * Returns the document as one network serves it: with the methods that it offers and, if the public
 * address is configured, that address as `servers`. Integers beyond 2^53 stay exact.
 */
export function describeNetworkDocument(text: string, facts: NetworkFacts): string {
  const document = parseExact(text) as JsonObject;
  const offered = (methods: Json | undefined): readonly Json[] =>
    ((methods ?? []) as readonly Json[]).filter(
      (method) => !isObject(method) || facts.offers(String(method['name'])),
    );
  const { publicUrl } = facts;
  const servers =
    publicUrl === undefined ? document['servers'] : serversAt(publicUrl, facts.name, document);
  return printExact({
    ...document,
    ...(servers !== undefined && { servers }),
    methods: offered(document['methods']),
    ...('x-service-methods' in document && {
      'x-service-methods': offered(document['x-service-methods']),
    }),
  });
}

/** Describes the addresses of a network; the key remains a variable. */
function serversAt(publicUrl: string, network: string, document: JsonObject): Json {
  const base = publicUrl.replace(/\/$/, '');
  const [described] = (document['servers'] ?? []) as readonly JsonObject[];
  const { api_key = { default: 'API_KEY' } } = (described?.['variables'] ?? {}) as JsonObject;
  const variables = { api_key };
  return [
    { name: `${network}-http`, url: `${base}/v3/{api_key}`, variables },
    {
      name: `${network}-websocket`,
      url: `${base.replace(/^http/, 'ws')}/ws/v3/{api_key}`,
      variables,
    },
  ];
}
