/** A server's address: the whole of it to call, and the part that is safe to show. */
export interface Address {
  readonly href: string;
  /** Scheme, host and port: a path may hold a key. */
  readonly shown: string;
}

/**
 * Reads a server's address.
 * @throws TypeError when it is not a URL or not of one of the protocols; the message does not repeat it.
 */
export function readAddress(url: string | URL, protocols: readonly string[]): Address {
  const wanted = protocols.map((protocol) => `${protocol}//…`).join(' or ');
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new TypeError(`url is not a URL: pass an absolute one, ${wanted}`);
  }
  if (!protocols.includes(parsed.protocol)) {
    throw new TypeError(`url has the protocol ${parsed.protocol}: pass one of ${wanted}`);
  }
  // A WebSocket refuses a fragment, and no server sees it.
  parsed.hash = '';
  return { href: parsed.href, shown: `${parsed.protocol}//${parsed.host}` };
}
