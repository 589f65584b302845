/**
 * Reads an address. Only its `origin` (scheme, host and port) is safe to show: a path may hold a key.
 * @throws TypeError when it is no URL of the scheme (`http`, `ws`) or its secure kind; it is not repeated.
 */
export function readUrl(url: string | URL, scheme: string): URL {
  try {
    const read = new URL(url);
    if (read.protocol.startsWith(scheme)) return read;
  } catch {
    // What the runtime says of it may repeat it.
  }
  throw new TypeError(`url: pass ${scheme}(s)://`);
}
