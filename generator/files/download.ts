import type { Response } from 'undici';
import { DocumentError } from '../../common/diagnostic.ts';
import type { ReadOptions, SourceText } from '../source/source.ts';
import { type Connections, PrivateAddressError } from './connections.ts';
import { readStream, unreadable } from './stream.ts';

/** Maximum time for one document, from the first byte sent to the last one received. */
const DOWNLOAD_TIMEOUT_MS = 30_000;

const MAX_REDIRECTS = 5;

/**
 * Downloads the document at an http or https URL.
 *
 * @throws DocumentError when it cannot be downloaded, or must not be
 */
export async function download(
  url: string,
  connections: Connections,
  options: ReadOptions,
): Promise<SourceText> {
  try {
    const response = await followRedirects(url, connections, options);
    const { ok, status, headers, body } = response;
    if (!ok) {
      await body?.cancel();
      throw unreadable(url, `the server returned HTTP ${status}`, 'check the address');
    }
    if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) {
      await body?.cancel();
      const fix = 'give the address of the file itself';
      throw unreadable(url, 'the server returned a web page, not a document', fix);
    }
    // RFC 3986, 5.1.3: references are relative to the final URL.
    return { name: url, url: response.url || url, text: await readStream(body, url) };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    if (error instanceof PrivateAddressError) {
      throw unreadable(url, error.message, 'refer to a copy');
    }
    const message = `cannot be downloaded (${reasonOf(error as Error)})`;
    throw unreadable(url, message, 'check the address and the network');
  }
}

function reasonOf({ name, cause, message }: Error): string {
  if (name === 'TimeoutError') return `no response within ${DOWNLOAD_TIMEOUT_MS / 1000} seconds`;
  const reason = cause instanceof Error ? cause.message : message;
  // OpenSSL adds its own files and lines to the reason.
  return /SSL routines:\w*:([^:]+):/.exec(reason)?.[1] ?? reason.split('\n')[0]!;
}

async function followRedirects(
  url: string,
  connections: Connections,
  { staysAtOrigin = false, from, signal: end }: ReadOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const signal = end === undefined ? timeout : AbortSignal.any([timeout, end]);
  const refuse = (message: string) => unreadable(url, message, 'check the address');
  let address = url;
  let before = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await connections.get(address, { from: before, signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    before = address;
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
