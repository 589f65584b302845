import { stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DocumentError } from '../../common/diagnostic.ts';
import { decodeText } from '../source/decode.ts';
import type { ReadOptions, SourceText } from '../source/source.ts';
import { type Connections, createConnections, type Network } from './connections.ts';
import { download } from './download.ts';
import { listTree } from './folder.ts';
import { MAX_FILE_BYTES, NOT_A_FILE, readRegularFile, TOO_LARGE } from './regular-file.ts';
import { readStream, tooLarge, unreadable } from './stream.ts';

/** Reads the text of a document, wherever it is. */
export interface TextReader {
  /** @throws DocumentError when it cannot be read */
  read(location: string, options?: ReadOptions): Promise<SourceText>;
  /**
   * Returns the locations of the files below a folder, or of a file itself.
   *
   * @throws DocumentError when it does not exist
   */
  list?(location: string): Promise<readonly string[]>;
}

/** Returns a reader that also records the texts, by name. */
export function recordTexts(reader: TextReader) {
  const texts = new Map<string, string>();
  return {
    texts,
    async read(location: string, options?: ReadOptions) {
      const text = await reader.read(location, options);
      texts.set(text.name, text.text);
      return text;
    },
    list: async (location: string) => (await reader.list?.(location)) ?? [location],
  } satisfies TextReader & { texts: unknown };
}

export interface ReaderOptions {
  /** The input that "-" names. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Folder that paths, and references in a document from stdin, are relative to. */
  readonly cwd?: string;
  /** The system's by default. */
  readonly network?: Network;
}

/** Reads paths, `file:` and `http(s):` URLs, and standard input for "-". */
export function createTextReader({
  stdin,
  cwd = process.cwd(),
  network,
}: ReaderOptions = {}): TextReader {
  const connections = new WeakMap<object, Connections>();
  return {
    async read(location, options = {}) {
      const { load = options, mayBeStream = false } = options;
      if (location === '-') return readStdin(stdin, cwd);
      if (/^https?:\/\//i.test(location)) {
        const own = connections.get(load) ?? createConnections(network);
        connections.set(load, own);
        return download(location, own, options);
      }
      if (OTHER_SCHEME.test(location)) {
        throw unreadable(location, 'unsupported URL scheme', 'use http, https or a path');
      }
      const isUrl = location.startsWith('file:');
      const path = isUrl ? pathOfUrl(location) : resolve(cwd, location);
      const name = isUrl ? relative(cwd, path) : location;
      const isStream = mayBeStream && (await stat(path).catch(() => null))?.isFile() === false;
      const text = await readPath(name, path, mayBeStream);
      // References of a document in a stream are relative to the working folder, as for "-".
      return { name, url: pathToFileURL(isStream ? resolve(cwd, 'stdin') : path).href, text };
    },
    async list(location) {
      const path = resolve(cwd, location);
      const found = await stat(path).catch(() => null);
      if (found === null) throw unreadable(location, 'file or folder not found', 'check the path');
      if (!found.isDirectory()) return [location];
      return (await listTree(path)).map((each) => join(location, each));
    },
  };
}

const OTHER_SCHEME = /^(?:(?!file:)[a-z][a-z0-9+.-]+:\/\/|(?:urn|tag|data|blob|javascript):)/i;

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    // A host, an encoded slash, or bytes that are not UTF-8.
    throw unreadable(url, 'not the URL of a local file', 'use a path');
  }
}

async function readStdin(
  stdin: AsyncIterable<Uint8Array> | undefined,
  cwd: string,
): Promise<SourceText> {
  const name = '<stdin>';
  const text = await readStream(stdin, name);
  if (text.trim() === '') {
    throw unreadable(name, 'standard input is empty', 'pipe a document into it');
  }
  return { name, url: pathToFileURL(resolve(cwd, 'stdin')).href, text };
}

async function readPath(name: string, path: string, mayBeStream: boolean): Promise<string> {
  try {
    const options = { maxBytes: MAX_FILE_BYTES, followsLink: true, mayBeStream };
    return decodeText(await readRegularFile(path, options), name);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw unreadable(name, 'file not found', 'check the path');
    if (code === TOO_LARGE) throw tooLarge(name);
    if (code === 'EISDIR') throw unreadable(name, 'this is a folder', 'name the document in it');
    // ENXIO: the system opens no socket as a file.
    if (code === NOT_A_FILE || code === 'ENXIO') {
      const message = 'this is a device, a pipe or a socket, not a file';
      throw unreadable(name, message, 'name a file, or pipe the document in as "-"');
    }
    const message = `it cannot be read (${code ?? 'unknown error'})`;
    throw unreadable(name, message, 'check its permissions');
  }
}

/** Returns the name of a document without its path: "openrpc.json", "stdin". */
export function baseNameOf(location: string): string {
  if (location === '-') return 'stdin';
  return basename(location.replace(/[?#].*$/, '')) || location;
}
