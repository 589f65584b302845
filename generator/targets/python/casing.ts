/**
 * How a name of the document is written as an identifier of Python, which compares identifiers after
 * NFKC (The Python Language Reference, 2.3) and takes what Unicode calls XID.
 */

const NO_IDENTIFIER = /[^\p{XID_Continue}]|_/u;

/** "eth_getProof" gives "eth_get_proof", "URLOf" gives "url_of", "3d" gives "_3d". */
export function snakeCase(name: string): string {
  const words = wordsOf(name).map((word) =>
    word
      .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1_')
      .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
      .toLowerCase(),
  );
  return startAsIdentifier(words.join('_'));
}

/** "eth_getProof" gives "EthGetProof". */
export function classCase(name: string): string {
  const words = wordsOf(name).map((word) => {
    const [first = '', ...rest] = word;
    return first.toUpperCase() + rest.join('');
  });
  return startAsIdentifier(words.join(''));
}

/** Whether a name is an identifier already, in the form Python compares. */
export function isIdentifier(name: string): boolean {
  return /^[\p{XID_Start}_][\p{XID_Continue}]*$/u.test(name) && name === name.normalize('NFKC');
}

function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFKC')
    .split(NO_IDENTIFIER)
    .filter((word) => word !== '');
}

function startAsIdentifier(name: string): string {
  const normal = name.normalize('NFKC');
  return normal === '' || /^\p{XID_Start}/u.test(normal) ? normal : `_${normal}`;
}
