import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 200;

/** Returns the state of a file: its time, size and inode, or "none" if it is missing. */
export async function fingerprintOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? 'none' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/**
 * Waits until files differ from the given fingerprints, by path, and have stopped changing: several
 * saves in a row count as one. Polls, which works for every editor and file system.
 *
 * @returns false when the signal aborted first
 */
export async function waitForChange(
  files: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<boolean> {
  const before = [...files.values()].join('\n');
  let last = before;
  while (!signal.aborted) {
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
    const now = (await Promise.all([...files.keys()].map(fingerprintOf))).join('\n');
    if (now === last && now !== before) return !signal.aborted;
    last = now;
  }
  return false;
}
