import {
  characterClasses,
  charactersOf,
  complement,
  notLineEnd,
  unite,
  type Characters,
} from './characters.ts';

/** What a pattern of ECMAScript is made of, as far as it is regular. */
export type PatternTree =
  | { readonly is: 'characters'; readonly set: Characters }
  | { readonly is: 'start' | 'end' }
  | { readonly is: 'sequence' | 'choice'; readonly parts: readonly PatternTree[] }
  | {
      readonly is: 'repeat';
      readonly of: PatternTree;
      readonly least: number;
      readonly most: number;
    };

const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  v: '\v',
  f: '\f',
  0: '\0',
};

/**
 * Maximum number of characters of a pattern with all its repetitions written out; larger ones are not
 * compared.
 */
const MAX_SIZE = 5000;
/** Maximum depth of nested groups. */
const MAX_DEPTH = 50;

/**
 * Parses a pattern. Returns null if it uses constructs that are not regular (look-around, back
 * references, word boundaries) or are rare (Unicode properties), or if it is too large or too deep to
 * compare.
 */
export function parsePattern(source: string): PatternTree | null {
  const reader = new PatternReader(source);
  try {
    const tree = reader.choice();
    return reader.isAtEnd() && sizeOf(tree) <= MAX_SIZE ? tree : null;
  } catch (error) {
    if (error instanceof NotRegular) return null;
    throw error;
  }
}

/** The number of parts of a tree; the parts of a repetition count once for each repetition. */
function sizeOf(tree: PatternTree): number {
  switch (tree.is) {
    case 'sequence':
    case 'choice':
      return tree.parts.reduce((size, part) => size + sizeOf(part), 1);
    case 'repeat':
      return sizeOf(tree.of) * Math.max(1, tree.most === Infinity ? tree.least : tree.most);
    default:
      return 1;
  }
}

class NotRegular extends Error {}

class PatternReader {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  choice(): PatternTree {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { is: 'choice', parts };
  }

  #sequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (!this.isAtEnd() && !/[|)]/.test(this.#peek())) parts.push(this.#repeated());
    return parts.length === 1 ? parts[0]! : { is: 'sequence', parts };
  }

  #repeated(): PatternTree {
    const of = this.#atom();
    const times = this.#quantifier();
    if (times === null) return of;
    this.#take('?');
    const [least, most] = times;
    if (of.is === 'start' || of.is === 'end') throw new NotRegular();
    return { is: 'repeat', of, least, most };
  }

  #quantifier(): readonly [number, number] | null {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    const counts = this.#match(/\{(\d+)(,(\d*))?\}/y);
    if (counts === null) return null;
    const least = Number(counts[1]);
    if (counts[2] === undefined) return [least, least];
    return [least, counts[3] === '' ? Infinity : Number(counts[3])];
  }

  #atom(): PatternTree {
    if (this.#take('^')) return { is: 'start' };
    if (this.#take('$')) return { is: 'end' };
    if (this.#take('.')) return { is: 'characters', set: notLineEnd };
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return { is: 'characters', set: this.#set() };
    if (this.#take('\\')) return { is: 'characters', set: this.#escape() };
    if (/[*+?)]/.test(this.#peek())) throw new NotRegular();
    return { is: 'characters', set: charactersOf(this.#next()) };
  }

  #group(): PatternTree {
    if (this.#match(/\?(?::|<[^=!>][^>]*>)/y) === null && this.#peek() === '?') {
      throw new NotRegular();
    }
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NotRegular();
    const tree = this.choice();
    this.#depth -= 1;
    if (!this.#take(')')) throw new NotRegular();
    return tree;
  }

  #set(): Characters {
    const isNegated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#take(']')) {
      const from = this.#member();
      const isRange = this.#peek() === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange) {
        ranges.push(...from);
        continue;
      }
      this.#take('-');
      const to = this.#member();
      if (from.length !== 1 || to.length !== 1) throw new NotRegular();
      ranges.push([from[0]![0], to[0]![1]]);
    }
    return isNegated ? complement(unite(ranges)) : unite(ranges);
  }

  #member(): Characters {
    if (this.isAtEnd()) throw new NotRegular();
    if (!this.#take('\\')) return charactersOf(this.#next());
    if (this.#take('b')) return charactersOf('\b');
    if (this.#take('-')) return charactersOf('-');
    return this.#escape();
  }

  #escape(): Characters {
    const code = this.#match(/u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})/iy);
    if (code !== null) {
      const codePoint = Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16);
      // Halves of a surrogate pair in a row would be one character.
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) throw new NotRegular();
      return [[codePoint, codePoint]];
    }
    const letter = this.#next();
    const set = characterClasses[letter];
    if (set !== undefined) return set;
    if (letter === '0' && /\d/.test(this.#peek())) throw new NotRegular();
    const escaped = ESCAPES[letter];
    if (escaped !== undefined) return charactersOf(escaped);
    if (/[A-Za-z1-9]/.test(letter) || letter === '') throw new NotRegular();
    return charactersOf(letter);
  }

  #peek(): string {
    return this.#source[this.#at] ?? '';
  }

  /** The next character, which may take two UTF-16 units. */
  #next(): string {
    const codePoint = this.#source.codePointAt(this.#at);
    const character = codePoint === undefined ? '' : String.fromCodePoint(codePoint);
    this.#at += character.length;
    return character;
  }

  #take(character: string): boolean {
    const isNext = this.#peek() === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }
}
