// A process that puts load on servers.
import { Pool } from 'undici';
import { serveParent } from '../parent.ts';
import { KEEP_ALIVE_MS } from '../servers/http.ts';
import { drive, type Load } from './drive.ts';

const pools = new Map<string, Pool>();

function poolFor({ url, connections }: Load): Pool {
  const { origin } = new URL(url);
  let pool = pools.get(origin);
  if (pool === undefined) {
    pool = new Pool(origin, { connections, pipelining: 1, keepAliveTimeout: KEEP_ALIVE_MS });
    pools.set(origin, pool);
  }
  return pool;
}

serveParent({ drive: (load: Load) => drive(poolFor(load), load) });
