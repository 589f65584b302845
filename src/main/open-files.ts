import type { Config } from '../config/schema.ts';
import type { Limits } from '../config/limits.ts';
import { PAGE_CONNECTIONS } from '../transport/serve-pages.ts';
import { poolSize } from '../upstream/http/pool.ts';
import { addressesOf } from './addresses.ts';

/** Files beside the connections of clients and to HTTP nodes: modules, stores, WebSockets to nodes, metrics. */
const OTHER_FILES = 256;

/** An address gets as many connections even if they may be too many. */
const MIN_CONNECTIONS = 64;

/** Returns how many files this process may have open; Infinity if that is not limited. */
export function maxOpenFiles(): number {
  const { userLimits } = process.report.getReport() as {
    // Absent on Windows.
    readonly userLimits?: { readonly open_files: { readonly soft: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/**
 * Returns how many client connections each address may have: at most `connections`, and as many as leave
 * files for the others. Without files, no connection is accepted anymore, nor one without a key closed.
 */
export function connectionsPerAddress(
  config: Pick<Config, 'networks' | 'docs'>,
  limits: Pick<Limits, 'connections' | 'upstream_connections'>,
  max_files: number,
): number {
  const upstreams = config.networks.flatMap(({ upstreams, partner }) =>
    partner === undefined ? upstreams : [...upstreams, partner],
  );
  const docs = config.docs === undefined ? 0 : PAGE_CONNECTIONS;
  const left = max_files - OTHER_FILES - docs - upstreams.length * poolSize(limits);
  const share = Math.floor(left / addressesOf(config).length);
  return Math.min(limits.connections, Math.max(MIN_CONNECTIONS, share));
}
