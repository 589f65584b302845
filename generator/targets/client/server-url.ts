import { plainAddress } from '../../../common/escape/address.ts';
import { isObject, type JsonObject } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';

/** A protocol of a transport, as URLs begin. */
export type Scheme = 'http' | 'ws';

/**
 * The address to call an example at: the method's servers before the document's, the one whose name
 * begins with the example's network (`x-network`) before the others, variables at their defaults.
 * Null when the document names no absolute one.
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
      url: plainAddress(fillIn(server), [scheme, `${scheme}s`]),
    }))
    .filter(({ url }) => url !== null);
  const ofNetwork = candidates.find(
    ({ name }) => typeof network === 'string' && name.startsWith(network),
  );
  return (ofNetwork ?? candidates[0])?.url ?? null;
}

/** OpenRPC 1.3.2, server object: `{name}` in the URL is a variable, with a default. */
function fillIn(server: JsonObject): string {
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return String(server['url'] ?? '').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isObject(variable) && 'default' in variable ? String(variable['default']) : whole;
  });
}
