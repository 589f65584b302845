import { createHash, randomUUID } from 'node:crypto';
import { CHECKED_BYTES } from '../json/object-scanner.ts';
import { scanText } from '../json/ranges.ts';
import type { Clock } from '../time/clock.ts';
import type { StartTimer } from '../time/timer.ts';
import type { Observe } from './events.ts';
import type { UpstreamLimits } from './limits.ts';
import { RedisClient } from './redis/redis-client.ts';

/** Cached results that several gateways share. */
export interface CacheServer {
  /**
   * Resolves to undefined if the server has no result for the call, and to null if the lookup failed or was
   * skipped.
   */
  get(call: string): Promise<Buffer | null | undefined>;
  /** Does not wait, and does nothing while the server cannot be reached. */
  set(call: string, result: Buffer): void;
  /** Invalidates the results of all gateways; takes effect at the next lookup. */
  clear(): void;
  close(): void;
}

interface CacheServerOptions {
  /** `redis://` or `rediss://`, with the credentials. */
  readonly url: string;
  /** Keeps the results of different chains apart. */
  readonly chain: string;
  readonly limits: Pick<UpstreamLimits, 'response_depth'>;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly observe: Observe;
}

/** How long a call waits for the server before it is sent to a node. */
const LOOKUP_MS = 50;

/** How long calls skip the server after it failed. */
const PAUSE_MS = 1_000;

/** Maximum number of commands that await a response; further ones are not sent. */
const MAX_COMMANDS = 500;

/** Expiry, so that unused results do not stay on a server without a memory limit. */
const EXPIRY_S = '86400';

/**
 * Connects to Redis or Valkey in the background. Keys contain an epoch, which `clear` replaces. It is read
 * together with the result, so no gateway uses a result that another one has cleared. It is random, so that
 * losing it (eviction, `FLUSHALL`) never makes cleared results valid again.
 */
export function openCacheServer(options: CacheServerOptions): CacheServer {
  const { chain, limits, clock, startTimer, observe } = options;
  const epochKey = `specgate:${chain}`;
  /** Undefined until it has been read. */
  let epoch: string | undefined;
  let isClosed = false;
  let isAvailable: boolean | undefined;
  let isStale = false;
  let commands = 0;
  let resumes_ms = 0;

  const report = (now: boolean, detail = ''): void => {
    if (isClosed || now === isAvailable) return;
    isAvailable = now;
    observe({ kind: 'cacheServer', isAvailable: now, detail });
  };
  const fail = (error: Error): null => {
    resumes_ms = clock.monotonic_ms() + PAUSE_MS;
    report(false, error.message);
    return null;
  };
  const isUsable = (): boolean =>
    client.isReady && commands < MAX_COMMANDS && clock.monotonic_ms() >= resumes_ms;
  const keyOf = (call: string): string =>
    `${epochKey}:${epoch}:${createHash('sha256').update(call, 'latin1').digest('base64url')}`;

  /** Resolves to null if the command fails or cannot be sent. */
  const run = async <T>(command: () => Promise<T>): Promise<T | null> => {
    if (!isUsable()) return null;
    commands += 1;
    try {
      const response = await command();
      report(true);
      return response;
    } catch (error) {
      return fail(error as Error);
    } finally {
      commands -= 1;
    }
  };

  const lookUp = async (call: string): Promise<Buffer | undefined> => {
    if (isStale) {
      const next = randomUUID();
      await client.send(['SET', epochKey, next]);
      epoch = next;
      isStale = false;
      return undefined;
    }
    const key = keyOf(call);
    const reply = await client.send(['MGET', epochKey, key]);
    if (!Array.isArray(reply)) throw new Error('expected an array of values');
    const [current, result] = reply as readonly (Buffer | null)[];
    if (current === undefined || current === null) {
      const first = randomUUID();
      // Another gateway may have been faster: the next lookup reads its epoch.
      epoch = (await client.send(['SET', epochKey, first, 'NX'])) === null ? undefined : first;
      return undefined;
    }
    const currentEpoch = current.toString();
    if (currentEpoch === epoch) return isResult(result, limits.response_depth) ? result : undefined;
    epoch = currentEpoch;
    return undefined;
  };

  const client = new RedisClient({ url: options.url, onReady: () => report(true), onLost: fail });

  return {
    get(call) {
      if (!isUsable()) return Promise.resolve(null);
      return new Promise((resolve) => {
        const stop = startTimer(LOOKUP_MS, () =>
          resolve(fail(new Error(`no response within ${LOOKUP_MS} ms`))),
        );
        void run(() => lookUp(call))
          .then(resolve)
          .finally(stop);
      });
    },
    set(call, result) {
      if (isStale || epoch === undefined) return;
      void run(() => client.send(['SET', keyOf(call), result, 'EX', EXPIRY_S]));
    },
    clear() {
      isStale = true;
    },
    close() {
      isClosed = true;
      client.close();
    },
  };
}

/** Whether a value can be put into a response; another program may have written it. */
function isResult(result: Buffer | null | undefined, max_depth: number): result is Buffer {
  if (result === null || result === undefined || result.length > CHECKED_BYTES) return false;
  try {
    scanText(result, max_depth);
    return true;
  } catch {
    return false;
  }
}
