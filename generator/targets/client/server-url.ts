import { plainAddress } from '../../../common/escape/address.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import { addressOf } from '../../model/server-address.ts';

/** A protocol of a transport, as URLs begin. */
export type Scheme = 'http' | 'ws';

/**
 * The address to call an example at: the method's servers before the document's, the one whose name
 * begins with the example's network (`x-network`) before the others, variables at their defaults.
 * Null when the document names none, or only relative ones and was not downloaded.
 */
export function serverUrl(
  model: Model,
  scheme: Scheme,
  of?: { readonly method: MethodModel; readonly example: ExampleModel },
): string | null {
  const network = of?.example.extensions['x-network'];
  const own = of?.method.servers ?? [];
  const candidates = (own.length > 0 ? own : model.servers)
    .map((server) => ({
      name: String(server['name'] ?? ''),
      url: plainAddress(addressOf(server, model.location) ?? '', [scheme, `${scheme}s`]),
    }))
    .filter(({ url }) => url !== null);
  const ofNetwork = candidates.find(
    ({ name }) => typeof network === 'string' && name.startsWith(network),
  );
  return (ofNetwork ?? candidates[0])?.url ?? null;
}
