import type { SiteConfig, SiteNetwork } from '../../site-config.ts';

const PLACEHOLDER = '<API_KEY>';

/** Whether a key belongs into the addresses of a network. */
export function takesKey({ http, ws }: SiteNetwork, { key }: Pick<SiteConfig, 'key'>): boolean {
  return [http, ws].some((url) => url !== null && splitAtKey(url, key) !== null);
}

/** An address with a key in its place; the placeholder where the key is null. */
export function addressWith(
  url: string | null,
  { key, publicKey }: { readonly key: string | null; readonly publicKey: string | null },
): string | null {
  const parts = url === null ? null : splitAtKey(url, publicKey);
  return parts === null ? url : parts.join(key === null ? PLACEHOLDER : encodeURIComponent(key));
}

/** What stands before and behind the key: the placeholder, or the segment that is the public key. */
function splitAtKey(url: string, publicKey: string | null): readonly [string, string] | null {
  for (const mark of [PLACEHOLDER, encodeURIComponent(PLACEHOLDER)]) {
    const at = url.indexOf(mark);
    if (at >= 0) return [url.slice(0, at), url.slice(at + mark.length)];
  }
  if (publicKey === null || publicKey === '') return null;
  const segment = `/${encodeURIComponent(publicKey)}`;
  const at = url.lastIndexOf(segment);
  const end = at + segment.length;
  const isSegment = at > 0 && (end === url.length || '/?#'.includes(url[end]!));
  return isSegment ? [url.slice(0, at + 1), url.slice(end)] : null;
}
