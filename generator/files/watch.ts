import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WatchOptions {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** How often the files are looked at. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 200;

/** The state of files, by path: time and size, or that there is no file. */
export async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const stats = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
        () => 'none',
      ),
    ),
  );
  return stats.join('\n');
}

/**
 * Waits until the files are others than `since` and have stopped changing: several
 * saves in a row count as one. Polls instead of subscribing, which works for every editor and file
 * system.
 *
 * @returns false when the signal came first
 */
export async function waitForChange(
  paths: readonly string[],
  since: string,
  { signal, intervalMs = INTERVAL_MS }: WatchOptions,
): Promise<boolean> {
  let last = since;
  while (!signal.aborted) {
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
    const now = await fingerprintOf(paths);
    if (now === last && now !== since) return !signal.aborted;
    last = now;
  }
  return false;
}
