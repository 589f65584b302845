/**
 * How a name of the document is written as an identifier. Whatever an identifier cannot hold
 * (punctuation, spaces) and underscores separate words; letters of any script are kept.
 */

// Not every letter, mark or number of Unicode may stand in an identifier: "²" may not.
const SEPARATOR = /[^\p{ID_Continue}]|\p{Pc}/u;

const SPELLING: Readonly<Record<string, string>> = {
  ' ': 'Space',
  '.': 'Dot',
  '-': 'Dash',
  _: 'Underscore',
  '/': 'Slash',
  ':': 'Colon',
  $: 'Dollar',
  '@': 'At',
  '#': 'Hash',
  '*': 'Star',
  '+': 'Plus',
  '!': 'Bang',
  '?': 'Question',
  '&': 'And',
  '%': 'Percent',
};

/** "eth_getProof" gives "EthGetProof", "3d model" gives "_3dModel"; "" when no letter is left. */
export function pascalCase(name: string): string {
  return startAsIdentifier(wordsOf(name).map(capitalise).join(''));
}

/** "eth_getProof" gives "ethGetProof", "URL" gives "url", "HTTPServer" gives "httpServer". */
export function camelCase(name: string): string {
  const [first = '', ...rest] = wordsOf(name);
  const lowered = first.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll}|$)|^\p{Lu}/u, (run) => run.toLowerCase());
  return startAsIdentifier(lowered + rest.map(capitalise).join(''));
}

/** The name with its punctuation in words, "a.b" as "a_Dot_b": tells apart what casing makes one. */
export function spellOut(name: string): string {
  return [...name.normalize('NFC')].map(spell).join('');
}

/** As `spellOut`, with every word that starts in lower case marked: "foo" gives "Lower_foo". */
export function spellOutCase(name: string): string {
  return wordsOf(spellOut(name))
    .map((word) => (/^\p{Ll}/u.test(word) ? `Lower_${word}` : word))
    .join('_');
}

function spell(character: string): string {
  if (!SEPARATOR.test(character)) return character;
  return `_${SPELLING[character] ?? `U${character.codePointAt(0)!.toString(16)}`}_`;
}

function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFC')
    .split(SEPARATOR)
    .filter((word) => word !== '');
}

function capitalise(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}

function startAsIdentifier(name: string): string {
  return name === '' || /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}
