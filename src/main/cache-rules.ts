import type { NetworkConfig } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import type { CacheRules, Immutability } from '../upstream/with-cache.ts';

/** Returns which calls are cached and shared, as the document says and the configuration allows. */
export function cacheRules(
  { cache, sharedCalls }: NetworkConfig,
  { methods, validateResult }: Protocol,
): CacheRules {
  const isOn = (setting: NetworkConfig['cache'], method: string): boolean =>
    typeof setting === 'object' ? !setting.except.includes(method) : setting !== false;
  const immutable = new Map<string, Immutability>();
  const shared = new Set<string>();
  for (const { name, immutable: mark } of Object.values(methods)) {
    if (mark !== null && isOn(cache, name)) immutable.set(name, mark);
    if (isOn(sharedCalls, name)) shared.add(name);
  }
  return {
    immutabilityOf: (method) => immutable.get(method),
    isShared: (method) => shared.has(method),
    isValid: (method, result) =>
      validateResult[method]?.(JSON.parse(result.toString())).length === 0,
  };
}
