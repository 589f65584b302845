import type { JsonCodec } from './transport.ts';

/** No response needs this many levels: most programs cannot even traverse them. */
const MAX_LEVELS = 10_000;

/** Shorter texts are not checked: at worst, each character takes 60 bytes. */
const MIN_CHECKED_CHARACTERS = 1_000_000;

/** Checks whether JSON text has more levels of arrays and objects than are parsed. */
function isTooDeep(text: string): boolean {
  let levels = 0;
  let isInString = false;
  for (let index = 0; index < text.length && levels <= MAX_LEVELS; index += 1) {
    const character = text[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') levels += 1;
    else if (character === ']' || character === '}') levels -= 1;
  }
  return levels > MAX_LEVELS;
}

/**
 * Returns a codec that does not parse JSON of more than 10,000 levels. V8 takes about 60 bytes for each
 * open level, so the largest response could take 16 GB.
 */
export function limitDepth<Wide>(json: JsonCodec<Wide>): JsonCodec<Wide> {
  return {
    parse(text) {
      if (text.length > MIN_CHECKED_CHARACTERS && isTooDeep(String(text))) {
        throw new SyntaxError('JSON is nested too deeply');
      }
      return json.parse(text);
    },
    stringify: (value) => json.stringify(value),
  };
}
