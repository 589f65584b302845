/**
 * The part of an address that is safe to show: scheme, host and port, for a path may hold a key.
 * @throws TypeError when it is no URL of the scheme (`http`, `ws`) or its secure kind; it is not repeated.
 */
export function originOf(url: string | URL, scheme: string): string {
  try {
    const { origin } = new URL(url);
    if (origin.startsWith(scheme)) return origin;
  } catch {
    // What the runtime says of it may repeat it.
  }
  throw new TypeError(`url is none: pass ${scheme}s:// or ${scheme}://`);
}
