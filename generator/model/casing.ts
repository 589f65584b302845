import { RECENT_LETTERS } from './recent-letters.ts';

// Underscores and characters that are invalid in an identifier separate words. Letters of any script
// are kept.
const SEPARATOR = new RegExp(String.raw`[^\p{ID_Continue}]|[\p{Pc}${RECENT_LETTERS}]`, 'u');

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

/**
 * Returns "EthGetProof" for "eth_getProof", "BlockNotFound" for "BLOCK_NOT_FOUND", "_3dModel" for
 * "3d model", "" when no letter is left.
 */
export function pascalCase(name: string): string {
  return startAsIdentifier(lowerShouted(wordsOf(name)).map(capitalize).join(''));
}

/** Returns "ethGetProof" for "eth_getProof", "url" for "URL", "httpServer" for "HTTPServer". */
export function camelCase(name: string): string {
  const [first = '', ...rest] = lowerShouted(wordsOf(name));
  const lowered = first.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll}|$)|^\p{Lu}/u, (run) => run.toLowerCase());
  return startAsIdentifier(lowered + rest.map(capitalize).join(''));
}

/**
 * Spells out punctuation, so that names that casing would make equal stay different: "a_Dot_b" for "a.b".
 */
export function spellOut(name: string): string {
  return [...name.normalize('NFC')].map(spell).join('');
}

/** Like `spellOut`, but also marks every word that starts in lower case: "Lower_foo" for "foo". */
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

/** A single word up to this length may be an acronym: "URL", "HTTPS". */
const MAX_ACRONYM = 5;

/**
 * Converts words in capitals to lower case, but only next to another such word, as in BLOCK_NOT_FOUND,
 * where they would run together. A single word in capitals is converted if it is too long for an acronym.
 */
export function lowerShouted(words: readonly string[]): readonly string[] {
  // Numbers between words do not count.
  const spoken = words.filter((word) => /\p{L}/u.test(word));
  const isShouted = (word = '') => /\p{Lu}/u.test(word) && !/\p{Ll}/u.test(word);
  const shouted = new Set(
    spoken.filter((word, index) => {
      const isBeside = isShouted(spoken[index - 1]) || isShouted(spoken[index + 1]);
      const isLong = spoken.length === 1 && word.length > MAX_ACRONYM;
      return isShouted(word) && (isBeside || isLong);
    }),
  );
  return words.map((word) => (shouted.has(word) ? word.toLowerCase() : word));
}

function capitalize(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}

function startAsIdentifier(name: string): string {
  return name === '' || /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}
