// npm allows 214 characters.
const MAX_CHARACTERS = 200;

/** Returns the package name for a document's title: "node-service-client" for "Node Service". */
export function packageName(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'client');
  return [...(words.length === 0 ? ['rpc'] : words), 'client']
    .join('-')
    .slice(-MAX_CHARACTERS)
    .replace(/^-/, '');
}

/** Returns the document's version as semver: "2.0.0" for "2", "0.0.0" for an invalid version. */
export function packageVersion(version: string): string {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(
    version,
  );
  if (match === null) return '0.0.0';
  const numbers = [match[1], match[2], match[3]].map((part) => String(BigInt(part ?? '0')));
  return `${numbers.join('.')}${match[4] ?? ''}`;
}
