import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '../../common/diagnostic.ts';
import type { TextReader } from '../../generator/files/text.ts';
import { fingerprintOf, waitForChange } from '../../generator/files/watch.ts';
import { reportDocumentError } from './verb.ts';

/** Fingerprints of the files that were read, by absolute path. */
type Watched = Map<string, string>;

/**
 * Wraps a reader to record the files it is asked for, missing ones included. Streams are rejected: they
 * can be read only once.
 */
export function noteFiles(reader: TextReader, watched: Watched): TextReader {
  return {
    async read(location, options) {
      const path = pathOf(location);
      if (path !== null) watched.set(path, await fingerprintOf(path));
      return reader.read(location, { ...options, mayBeStream: false });
    },
    list: async (location) => (await reader.list?.(location)) ?? [location],
  };
}

function pathOf(location: string): string | null {
  if (location.startsWith('file:')) {
    try {
      return fileURLToPath(location);
    } catch {
      return null;
    }
  }
  return location === '-' || /^https?:/i.test(location) ? null : resolve(location);
}

/**
 * Runs `work`, and again whenever a file that it recorded changes, until the process is interrupted.
 * Reports an unusable document and keeps watching.
 */
export async function repeatOnChange(work: (watched: Watched) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    let known: Watched = new Map();
    do {
      const watched: Watched = new Map();
      const isDone = await attempt(() => work(watched));
      // A failed run may not have reached every file.
      known = isDone ? watched : new Map([...known, ...watched]);
      const files = known.size === 1 ? 'file' : 'files';
      console.error(`watching ${known.size} ${files}; press Ctrl-C to stop`);
    } while (await waitForChange(known, stop.signal));
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    reportDocumentError(error);
    return false;
  }
}
