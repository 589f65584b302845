import type { SiteConfig, SiteNetwork } from '../../site-files.ts';

const PLACEHOLDER = '<API_KEY>';

/** Whether the addresses of a network contain a key. */
export function takesKey({ http, ws }: SiteNetwork, { key }: Pick<SiteConfig, 'key'>): boolean {
  return [http, ws].some((url) => url !== null && splitAtKey(url, key) !== null);
}

/** Returns an address with the key, or with a placeholder if the key is null. */
export function addressWith(
  url: string | null,
  { key, publicKey }: { readonly key: string | null; readonly publicKey: string | null },
): string | null {
  const parts = url === null ? null : splitAtKey(url, publicKey);
  return parts === null ? url : parts.join(key === null ? PLACEHOLDER : encodeURIComponent(key));
}

/** Splits an address at the placeholder or public key in it. */
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
