import { join } from 'node:path';

export const KEY = 'benchmark-key-0000000000000000';
export const FLOOD_KEY = 'benchmark-key-of-the-flood-000';

/** More than any run uses, and an exact number. */
const UNMET = 1_000_000_000_000;

export const BENCHMARK_ACCOUNT = { plan: 'custom', creditsPerDay: UNMET, callsPerSecond: UNMET };

/** The gateway with everything on, and accounts whose limits no run meets. JSON is YAML. */
export function specgateConfig(nodeUrl: string, folder: string): string {
  return JSON.stringify({
    networks: [
      {
        name: 'evm',
        family: 'evm',
        listen: { port: 0 },
        identity: 1,
        upstreams: [{ url: nodeUrl }],
      },
    ],
    accounts: [
      { id: 'benchmark', ...BENCHMARK_ACCOUNT, keys: [{ key: KEY }] },
      { id: 'flood', ...BENCHMARK_ACCOUNT, keys: [{ key: FLOOD_KEY }] },
    ],
    store: join(folder, 'store.sqlite'),
    ops: { port: 0 },
    // Callers stay connected while the others are measured.
    limits: { http_keep_alive_ms: 120_000 },
  });
}
