import { isObject, type JsonObject } from '../../../common/json/value.ts';
import type { Model } from '../../model/model.ts';

/** An address of the service: what `servers` of a document says, one entry a network. */
export interface NetworkFacts {
  readonly name: string;
  readonly summary: string;
  /** "evm" or "svm" where it is known. */
  readonly family: string | null;
  readonly http: string | null;
  readonly ws: string | null;
}

/**
 * The networks of a document. Servers that are called the same but for a transport behind the name
 * ("evm-http", "evm-websocket") are one network.
 */
export function networksOf({ servers, methods }: Model): readonly NetworkFacts[] {
  const families = familiesOf(methods);
  const found = new Map<string, NetworkFacts>();
  for (const [index, server] of servers.entries()) {
    const url = expandUrl(server);
    const fullName = typeof server['name'] === 'string' ? server['name'] : `server ${index + 1}`;
    const name = fullName.replace(/[-_ ](?:https?|wss?|websocket)$/i, '');
    const summary = typeof server['summary'] === 'string' ? server['summary'] : '';
    const known = found.get(name) ?? {
      name,
      summary: summary.replace(/ over (?:HTTP|WebSocket)$/i, ''),
      family: families.get(name) ?? null,
      http: null,
      ws: null,
    };
    const side = /^wss?:/i.test(url) ? 'ws' : 'http';
    found.set(name, { ...known, [side]: known[side] ?? url });
  }
  return [...found.values()];
}

/** The network a method is shown on: one of its family, or the first. */
export function networkFor(
  family: string | null,
  networks: readonly NetworkFacts[],
): NetworkFacts | null {
  return networks.find((network) => network.family === family) ?? networks[0] ?? null;
}

/** The family of a network is that of the methods whose examples run on it (`x-network`). */
function familiesOf(methods: Model['methods']): ReadonlyMap<string, string> {
  const families = new Map<string, string>();
  for (const { extensions, examples } of methods) {
    const family = extensions['x-network-family'];
    if (typeof family !== 'string') continue;
    for (const example of examples) families.set(String(example.extensions['x-network']), family);
  }
  return families;
}

/** The URL with the defaults of its variables (OpenRPC 1.3.2, server object: `{name}` and `${name}`). */
function expandUrl(server: JsonObject): string {
  const url = typeof server['url'] === 'string' ? server['url'] : '';
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return url.replaceAll(/\$?\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' ? value : whole;
  });
}
