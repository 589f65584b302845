import { DocumentError, describeDiagnostic } from '../../common/diagnostic.ts';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextReader } from '../../generator/files/text.ts';
import { fingerprintOf, waitForChange } from '../../generator/files/watch.ts';

/** Files that were read, by absolute path, and what they were like then. */
export type Watched = Map<string, string>;

/**
 * A reader that notes in `watched` the files it is asked for, those that are not there included. A
 * stream, which can be read only once, is refused.
 */
export function noteFiles(reader: TextReader, watched: Watched): TextReader {
  return {
    async read(location, options) {
      const path = pathOf(location);
      if (path !== null) watched.set(path, await fingerprintOf([path]));
      return reader.read(location, { ...options, mayBeStream: false });
    },
  };
}

function pathOf(location: string): string | null {
  if (location.startsWith('file:')) return fileURLToPath(location);
  return location === '-' || /^https?:/i.test(location) ? null : resolve(location);
}

/**
 * Does `work`, and again whenever a file changes that it has noted, until the process is
 * interrupted. An unusable document is reported; watching goes on.
 */
export async function repeatOnChange(
  work: (watched: Watched) => Promise<void>,
  say: (text: string) => void,
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    let known: Watched = new Map();
    do {
      const watched: Watched = new Map();
      const isDone = await attempt(() => work(watched), say);
      // After a failure the rest of the files may not have been come to.
      known = isDone ? watched : new Map([...known, ...watched]);
      say(`watching ${known.size} ${known.size === 1 ? 'file' : 'files'}; end with Ctrl+C`);
    } while (
      await waitForChange([...known.keys()], [...known.values()].join('\n'), {
        signal: stop.signal,
      })
    );
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

async function attempt(work: () => Promise<void>, say: (text: string) => void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    for (const problem of error.diagnostics) say(describeDiagnostic(problem));
    return false;
  }
}
