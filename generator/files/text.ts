import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { DocumentError } from '../problem/problem.ts';
import type { SourceText } from '../source/source.ts';

/** Larger documents are refused: none is known that comes near. */
const MAX_BYTES = 64 * 1024 * 1024;

const DOWNLOAD_TIMEOUT_MS = 30_000;

/** Reads the text of a document, wherever it is. */
export interface TextReader {
  /** @throws DocumentError when it cannot be read */
  read(location: string): Promise<SourceText>;
}

export interface ReaderOptions {
  /** What "-" stands for. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Folder that paths, and references in a document from stdin, are relative to. */
  readonly cwd?: string;
}

/** Reads paths, `file:` and `http(s):` URLs, and standard input for "-". */
export function createTextReader({ stdin, cwd = process.cwd() }: ReaderOptions = {}): TextReader {
  return {
    async read(location) {
      if (location === '-') return readStdin(stdin, cwd);
      if (/^https?:\/\//i.test(location)) return download(location);
      if (!location.startsWith('file:')) return readPath(location, resolve(cwd, location));
      const path = fileURLToPath(location);
      return readPath(relative(cwd, path), path);
    },
  };
}

async function readStdin(
  stdin: AsyncIterable<Uint8Array> | undefined,
  cwd: string,
): Promise<SourceText> {
  const text = stdin === undefined ? '' : await readStream(bounded(stdin));
  if (text.trim() === '') throw unreadable('<stdin>', 'nothing came in', 'pipe a document into it');
  return { name: '<stdin>', url: pathToFileURL(resolve(cwd, 'stdin')).href, text };
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw tooLarge('<stdin>');
    yield chunk;
  }
}

async function readPath(name: string, path: string): Promise<SourceText> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MAX_BYTES) throw tooLarge(name);
    return { name, url: pathToFileURL(path).href, text: bytes.toString('utf8') };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw unreadable(name, 'there is no such file', 'check the path');
    if (code === 'EISDIR') throw unreadable(name, 'this is a folder', 'name the document in it');
    throw unreadable(
      name,
      `it cannot be read (${code ?? 'unknown error'})`,
      'check its permissions',
    );
  }
}

async function download(url: string): Promise<SourceText> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (!response.ok) {
      await response.body?.cancel();
      throw unreadable(url, `the server answered HTTP ${response.status}`, 'check the address');
    }
    const text = response.body === null ? '' : await readStream(bounded(response.body));
    return { name: url, url, text };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw unreadable(
      url,
      `it cannot be downloaded (${reason})`,
      'check the address and the network',
    );
  }
}

function tooLarge(file: string): DocumentError {
  return unreadable(file, `it is larger than ${MAX_BYTES / 1024 / 1024} MiB`, 'split it');
}

function unreadable(file: string, what: string, mend: string): DocumentError {
  return new DocumentError([{ what, mend, file, line: null, column: null, pointer: null }]);
}

/** What a document is called where no path must show: "openrpc.json", "stdin". */
export function baseNameOf(location: string): string {
  if (location === '-') return 'stdin';
  return basename(location.replace(/[?#].*$/, '')) || location;
}
