/** User and password of an address, and both as they are sent (RFC 7617). */
export interface Credentials {
  readonly user: string;
  readonly password: string;
  readonly encoded: string;
}

/** The credentials in an address; undefined when there are none. */
export function credentialsOf(url: URL): Credentials | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const [user, password] = [decode(url.username), decode(url.password)];
  return { user, password, encoded: Buffer.from(`${user}:${password}`).toString('base64') };
}

/** A percent sign may stand for itself, in addresses that were written by hand. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
