import { textAt } from '../../model/member.ts';
import type { Model } from '../../model/model.ts';
import { addressOf } from '../../model/server-address.ts';

/** A network of the service and its URLs, from the document's `servers`. */
export interface NetworkFacts {
  readonly name: string;
  readonly summary: string;
  /** "evm", "svm", or null if unknown. */
  readonly family: string | null;
  readonly http: string | null;
  readonly ws: string | null;
}

/**
 * Returns the networks of a document. Servers whose names differ only in a transport suffix ("evm-http",
 * "evm-websocket") are one network. Relative URLs are omitted unless the document was downloaded: the
 * reader enters the URL.
 */
export function networksOf({ servers, methods, location }: Model): readonly NetworkFacts[] {
  const families = familiesOf(methods);
  const found = new Map<string, NetworkFacts>();
  for (const [index, server] of servers.entries()) {
    const url = addressOf(server, location);
    if (url === null) continue;
    const fullName = typeof server['name'] === 'string' ? server['name'] : `server ${index + 1}`;
    const name = fullName.replace(/[-_ ](?:https?|wss?|websocket)$/i, '');
    const summary = textAt(server, 'summary').replace(/ over (?:HTTP|WebSocket)$/i, '');
    const family = families.get(name) ?? null;
    const known = found.get(name) ?? { name, summary, family, http: null, ws: null };
    const side = /^wss?:/i.test(url) ? 'ws' : 'http';
    found.set(name, { ...known, [side]: known[side] ?? url });
  }
  return [...found.values()];
}

/** Returns the network for samples of a method: one of its family, or the first. */
export function networkFor(
  family: string | null,
  networks: readonly NetworkFacts[],
): NetworkFacts | null {
  return networks.find((network) => network.family === family) ?? networks[0] ?? null;
}

/** Returns the family of each network: that of the methods whose examples use it (`x-network`). */
function familiesOf(methods: Model['methods']): ReadonlyMap<string, string> {
  const families = new Map<string, string>();
  for (const { extensions, examples } of methods) {
    const family = extensions['x-network-family'];
    if (typeof family !== 'string') continue;
    for (const example of examples) families.set(textAt(example.extensions, 'x-network'), family);
  }
  return families;
}
