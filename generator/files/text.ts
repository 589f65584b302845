import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { stat } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { buffer as readStream } from 'node:stream/consumers';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { decodeText } from '../source/decode.ts';
import type { ReadOptions, SourceText } from '../source/source.ts';
import { MAX_FILE_BYTES, NOT_A_FILE, readRegularFile, TOO_LARGE } from './regular-file.ts';

/** For one document, from the first byte sent to the last one received. */
const DOWNLOAD_TIMEOUT_MS = 30_000;

const MAX_REDIRECTS = 5;

/** Reads the text of a document, wherever it is. */
export interface TextReader {
  /** @throws DocumentError when it cannot be read */
  read(location: string, options?: ReadOptions): Promise<SourceText>;
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
    async read(location, { staysAtOrigin = false, mayBeStream = false } = {}) {
      if (location === '-') return readStdin(stdin, cwd);
      if (/^https?:\/\//i.test(location)) return download(location, staysAtOrigin);
      if (isOfOtherKind(location)) {
        throw unreadable(
          location,
          'addresses of this kind are not read',
          'use http, https or a path',
        );
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

/** Whether a location is an address that is neither a file's nor one for HTTP. */
function isOfOtherKind(location: string): boolean {
  return /^(?:(?!file:)[a-z][a-z0-9+.-]+:\/\/|(?:urn|tag|data|blob|javascript):)/i.test(location);
}

async function readStdin(
  stdin: AsyncIterable<Uint8Array> | undefined,
  cwd: string,
): Promise<SourceText> {
  const bytes =
    stdin === undefined ? new Uint8Array() : await readStream(bounded(stdin, '<stdin>'));
  const text = decodeText(bytes, '<stdin>');
  if (text.trim() === '') throw unreadable('<stdin>', 'nothing came in', 'pipe a document into it');
  return { name: '<stdin>', url: pathToFileURL(resolve(cwd, 'stdin')).href, text };
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
    if (code === 'ENOENT') throw unreadable(name, 'there is no such file', 'check the path');
    if (code === TOO_LARGE) throw tooLarge(name);
    // ENXIO: the system opens no socket as a file.
    if (code === NOT_A_FILE || code === 'ENXIO') {
      const message = 'this is a device, a pipe or a socket, not a file';
      throw unreadable(name, message, 'name a file, or pipe the document in as "-"');
    }
    if (code === 'EISDIR') throw unreadable(name, 'this is a folder', 'name the document in it');
    throw unreadable(
      name,
      `it cannot be read (${code ?? 'unknown error'})`,
      'check its permissions',
    );
  }
}

async function download(url: string, staysAtOrigin: boolean): Promise<SourceText> {
  try {
    const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
    const response = await followRedirects(url, { signal, staysAtOrigin });
    if (!response.ok) {
      await response.body?.cancel();
      throw unreadable(url, `the server answered HTTP ${response.status}`, 'check the address');
    }
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      const fix = 'give the address of the file itself';
      throw unreadable(url, 'the server answered a web page, not a document', fix);
    }
    const bytes =
      response.body === null ? new Uint8Array() : await readStream(bounded(response.body, url));
    // RFC 3986, 5.1.3: what it refers to is relative to where it was found in the end.
    return {
      name: url,
      url: response.url || url,
      text: decodeText(bytes, url),
    };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw unreadable(
      url,
      `it cannot be downloaded (${reasonOf(error as Error)})`,
      'check the address and the network',
    );
  }
}

function reasonOf({ name, cause, message }: Error): string {
  if (name === 'TimeoutError') return `no answer within ${DOWNLOAD_TIMEOUT_MS / 1000} seconds`;
  const reason = cause instanceof Error ? cause.message : message;
  // OpenSSL adds its own files and lines to the reason.
  return /SSL routines:\w*:([^:]+):/.exec(reason)?.[1] ?? reason.split('\n')[0]!;
}

interface Following {
  readonly signal: AbortSignal;
  readonly staysAtOrigin: boolean;
}

async function followRedirects(
  url: string,
  { signal, staysAtOrigin }: Following,
): Promise<Response> {
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(address, { signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    address = URL.parse(location, address)?.href ?? '';
    if (!/^https?:/.test(address)) {
      throw unreadable(url, `the server sends on to "${location}"`, 'check the address');
    }
    const { origin } = new URL(address);
    if (staysAtOrigin && origin !== new URL(url).origin) {
      const message = `the server redirects to another origin, ${origin} (followed only with --allow-remote)`;
      throw unreadable(url, message, 'check the address');
    }
  }
  const message = `the server sends on more than ${MAX_REDIRECTS} times`;
  throw unreadable(url, message, 'check the address');
}

function tooLarge(file: string): DocumentError {
  return unreadable(file, `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`, 'split it');
}

function unreadable(file: string, message: string, fix: string): DocumentError {
  return new DocumentError([unusable(wholeFile(file), { message, fix })]);
}

/** What a document is called where no path must show: "openrpc.json", "stdin". */
export function baseNameOf(location: string): string {
  if (location === '-') return 'stdin';
  return basename(location.replace(/[?#].*$/, '')) || location;
}
