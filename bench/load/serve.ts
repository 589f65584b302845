// The callers: one process that puts load on whatever address it is told.
import { Pool } from 'undici';
import { answerParent } from '../control/answer-parent.ts';
import { drive, type Load } from './drive.ts';

/** Longer than any pause between two measurements, so that connections are opened once. */
const KEEP_ALIVE_MS = 120_000;

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

answerParent({ drive: (load: Load) => drive(poolFor(load), load) });
process.on('SIGTERM', () => process.exit(0));
// Pools that are idle keep no process alive; this does, until it is stopped.
setInterval(() => undefined, KEEP_ALIVE_MS);
console.log('ready');
