import { stat } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { decodeText } from '../source/decode.ts';
import type { ReadOptions, SourceText } from '../source/source.ts';
import { MAX_FILE_BYTES, NOT_A_FILE, readRegularFile, TOO_LARGE } from './regular-file.ts';

/** Of one document, from the first byte sent to the last one received. */
const DOWNLOAD_TIMEOUT_MS = 30_000;

const MAX_REDIRECTS = 5;

/** Reads the text of a document, wherever it is. */
export interface TextReader {
  /** @throws DocumentError when it cannot be read */
  read(location: string, options?: ReadOptions): Promise<SourceText>;
}

export interface ReaderOptions {
  /** The input that "-" names. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Folder that paths, and references in a document from stdin, are relative to. */
  readonly cwd?: string;
}

/** Reads paths, `file:` and `http(s):` URLs, and standard input for "-". */
export function createTextReader({ stdin, cwd = process.cwd() }: ReaderOptions = {}): TextReader {
  return {
    async read(location, { staysAtOrigin = false, mayBeStream = false, signal } = {}) {
      if (location === '-') return readStdin(stdin, cwd);
      if (/^https?:\/\//i.test(location)) return download(location, { staysAtOrigin, signal });
      if (OTHER_SCHEME.test(location)) {
        throw unreadable(location, 'unsupported URL scheme', 'use http, https or a path');
      }
      const isUrl = location.startsWith('file:');
      const path = isUrl ? fileURLToPath(location) : resolve(cwd, location);
      const name = isUrl ? relative(cwd, path) : location;
      const isStream = mayBeStream && (await stat(path).catch(() => null))?.isFile() === false;
      const text = await readPath(name, path, mayBeStream);
      // What a document in a stream refers to is relative to the working folder, as for "-".
      return { name, url: pathToFileURL(isStream ? resolve(cwd, 'stdin') : path).href, text };
    },
  };
}

const OTHER_SCHEME = /^(?:(?!file:)[a-z][a-z0-9+.-]+:\/\/|(?:urn|tag|data|blob|javascript):)/i;

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

async function readStream(
  stream: AsyncIterable<Uint8Array> | null | undefined,
  name: string,
): Promise<string> {
  const bytes = stream ? await buffer(bounded(stream, name)) : new Uint8Array();
  return decodeText(bytes, name);
}

async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw tooLarge(name);
    yield chunk;
  }
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

type DownloadOptions = Pick<ReadOptions, 'staysAtOrigin'> & {
  readonly signal: AbortSignal | undefined;
};

async function download(url: string, options: DownloadOptions): Promise<SourceText> {
  try {
    const response = await followRedirects(url, options);
    const { ok, status, headers, body } = response;
    if (!ok) {
      await body?.cancel();
      throw unreadable(url, `the server answered HTTP ${status}`, 'check the address');
    }
    if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) {
      await body?.cancel();
      const fix = 'give the address of the file itself';
      throw unreadable(url, 'the server answered a web page, not a document', fix);
    }
    // RFC 3986, 5.1.3: references are relative to the final URL.
    return { name: url, url: response.url || url, text: await readStream(body, url) };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const message = `it cannot be downloaded (${reasonOf(error as Error)})`;
    throw unreadable(url, message, 'check the address and the network');
  }
}

function reasonOf({ name, cause, message }: Error): string {
  if (name === 'TimeoutError') return `no answer within ${DOWNLOAD_TIMEOUT_MS / 1000} seconds`;
  const reason = cause instanceof Error ? cause.message : message;
  // OpenSSL adds its own files and lines to the reason.
  return /SSL routines:\w*:([^:]+):/.exec(reason)?.[1] ?? reason.split('\n')[0]!;
}

async function followRedirects(
  url: string,
  { staysAtOrigin = false, signal: end }: DownloadOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const signal = end === undefined ? timeout : AbortSignal.any([timeout, end]);
  const refuse = (message: string) => unreadable(url, message, 'check the address');
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(address, { signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    address = URL.parse(location, address)?.href ?? '';
    if (!/^https?:/.test(address)) throw refuse(`the server redirects to "${location}"`);
    const { origin } = new URL(address);
    if (staysAtOrigin && origin !== new URL(url).origin) {
      throw refuse(
        `the server redirects to another origin, ${origin} (followed only with --allow-remote)`,
      );
    }
  }
  throw refuse(`the server redirects more than ${MAX_REDIRECTS} times`);
}

function tooLarge(file: string): DocumentError {
  return unreadable(file, `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`, 'split it');
}

function unreadable(file: string, message: string, fix: string): DocumentError {
  return new DocumentError([unusable(wholeFile(file), { message, fix })]);
}

/** Returns the name of a document without its path: "openrpc.json", "stdin". */
export function baseNameOf(location: string): string {
  if (location === '-') return 'stdin';
  return basename(location.replace(/[?#].*$/, '')) || location;
}
