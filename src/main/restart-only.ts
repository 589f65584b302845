import type { LimitName } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { keyOf } from './addresses.ts';
import type { SettingProblem } from './check-config.ts';

/** Settings that are read once, at the start. */
const restartOnly = ['store', 'ops', 'docs'] as const;
export const restartOnlyLimits: readonly LimitName[] = [
  'key_refresh_ms',
  'store_wait_ms',
  'lease_ttl_ms',
  'lease_tick_ms',
  'waiting_calls',
];

const WHAT = 'changed, which needs a restart; restart, or put it back and reload';

/** What a running gateway cannot take over from `next`; empty when all of it can be. */
export function findRestartOnly(current: Config, next: Config): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const compare = (path: readonly PropertyKey[], before: unknown, after: unknown): void => {
    if (JSON.stringify(before) !== JSON.stringify(after)) problems.push({ path, what: WHAT });
  };
  for (const name of restartOnly) compare([name], current[name], next[name]);
  for (const name of restartOnlyLimits) {
    compare(['limits', name], current.limits[name], next.limits[name]);
  }
  const before = new Map(current.networks.map((network) => [keyOf(network), network]));
  for (const [index, network] of next.networks.entries()) {
    const same = before.get(keyOf(network));
    if (same === undefined) continue;
    const path = ['networks', index, 'listen', 'tls'];
    compare(path, same.listen.tls !== undefined, network.listen.tls !== undefined);
  }
  return problems;
}
