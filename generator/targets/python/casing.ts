// Python compares identifiers after NFKC normalization and allows Unicode's XID characters (The Python
// Language Reference, section 2.3).

const SEPARATOR = /[^\p{XID_Continue}]|_/u;

/** Returns "eth_get_proof" for "eth_getProof", "url_of" for "URLOf", "_3d" for "3d". */
export function snakeCase(name: string): string {
  const words = wordsOf(name).map((word) =>
    word
      .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1_')
      .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
      .toLowerCase(),
  );
  return startAsIdentifier(words.join('_'));
}

/** Returns "EthGetProof" for "eth_getProof". */
export function classCase(name: string): string {
  const words = wordsOf(name).map((word) => {
    const [first = '', ...rest] = word;
    return first.toUpperCase() + rest.join('');
  });
  return startAsIdentifier(words.join(''));
}

/** Checks for an identifier in normalized form. */
export function isIdentifier(name: string): boolean {
  return /^[\p{XID_Start}_][\p{XID_Continue}]*$/u.test(name) && name === name.normalize('NFKC');
}

function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFKC')
    .split(SEPARATOR)
    .filter((word) => word !== '');
}

function startAsIdentifier(name: string): string {
  const normal = name.normalize('NFKC');
  return normal === '' || /^\p{XID_Start}/u.test(normal) ? normal : `_${normal}`;
}
