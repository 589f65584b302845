import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Longer expressions are not run. */
const MAX_LENGTH = 5_000;

/** A set caches its results for characters below this. */
const MAX_CACHED = 256;

/** The memory of a set, in instructions. */
const SET_SIZE = 32;

/** Checks a character by its code point, or by its UTF-16 unit without the flag "u". */
type Accepts = (code: number) => boolean;

/** `to` and `after` are indexes of the program, slots indexes of the state. */
export type Instruction =
  | { readonly op: 'read' | 'readBackward'; readonly accepts: Accepts }
  | ReadAll
  | { readonly op: 'giveBack'; readonly slot: number }
  | { readonly op: 'assert'; readonly holds: (text: string, at: number) => boolean }
  | {
      readonly op: 'backreference';
      readonly groups: readonly number[];
      readonly isBackward: boolean;
    }
  | { readonly op: 'save' | 'reset'; readonly slot: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'split'; readonly others: number[] }
  | { readonly op: 'lookaround'; readonly isNegative: boolean; after: number }
  | Loop
  | { readonly op: 'loopBody'; readonly loop: Loop }
  | { readonly op: 'match' };

/** A greedy repetition of one character; `giveBack`, which follows it, gives back the last one. */
export interface ReadAll {
  readonly op: 'readAll';
  readonly accepts: Accepts;
  readonly min: number;
  readonly max: number;
  /** The slot of the position before which it must not end. */
  readonly slot: number;
}

export interface Loop {
  readonly op: 'loop';
  readonly min: number;
  readonly max: number;
  readonly isGreedy: boolean;
  /** The slot of the number of repetitions; the next one holds the position where the last one began. */
  readonly slot: number;
  /** The slots of the groups within it, which each repetition clears. */
  groups: readonly number[];
  after: number;
}

/** The instructions of a backtracking match. */
export interface Program {
  readonly instructions: readonly Instruction[];
  /** The number of slots of the state. */
  readonly slots: number;
  /** The memory that it takes, in instructions. */
  readonly size: number;
  /** Whether it can only match at the start of a text. */
  readonly isAnchored: boolean;
}

/** Compiles a valid expression in linear time. Returns null if it is too long or too deep, or has modifiers. */
export function compileBacktracking(source: string, flags: string): Program | null {
  if (source.length > MAX_LENGTH) return null;
  const unicode = flags.includes('u');
  try {
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
    return new Compiler(flags).compile(pattern);
  } catch (error) {
    // RangeError: the stack of the parser is exhausted.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

class Compiler {
  readonly #program: Instruction[] = [];
  readonly #flags: string;
  readonly #slots = new Map<AST.CapturingGroup, number>();
  #slotCount = 0;
  /** Memory besides the instructions. */
  #extraSize = 0;

  constructor(flags: string) {
    this.#flags = flags;
  }

  compile({ alternatives }: AST.Pattern): Program {
    this.#addAlternatives(alternatives, false);
    this.#program.push({ op: 'match' });
    const size = this.#program.length + this.#extraSize;
    const isAnchored = alternatives.every(({ elements: [first] }) => isStart(first));
    return { instructions: this.#program, slots: this.#slotCount, size, isAnchored };
  }

  #addAlternatives(alternatives: readonly AST.Alternative[], isBackward: boolean): void {
    const others: number[] = [];
    if (alternatives.length > 1) this.#program.push({ op: 'split', others });
    const jumps: { op: 'jump'; to: number }[] = [];
    for (const [index, { elements }] of alternatives.entries()) {
      if (index > 0) {
        const jump = { op: 'jump' as const, to: 0 };
        jumps.push(jump);
        // They are pushed in this order, so the last one is tried last.
        others.unshift(this.#program.push(jump));
      }
      for (const element of isBackward ? elements.toReversed() : elements)
        this.#add(element, isBackward);
    }
    for (const jump of jumps) jump.to = this.#program.length;
  }

  #add(element: AST.Element, isBackward: boolean): void {
    switch (element.type) {
      case 'Group':
        if (element.modifiers !== null) throw new SyntaxError('modifiers');
        this.#addAlternatives(element.alternatives, isBackward);
        return;
      case 'CapturingGroup': {
        const slot = this.#slotOf(element);
        this.#program.push({ op: 'save', slot: slot + Number(isBackward) });
        this.#addAlternatives(element.alternatives, isBackward);
        this.#program.push({ op: 'save', slot: slot + Number(!isBackward) });
        return;
      }
      case 'Quantifier':
        this.#addQuantifier(element, isBackward);
        return;
      case 'Assertion':
        this.#addAssertion(element);
        return;
      case 'Backreference': {
        const groups = [element.resolved].flat().map((group) => this.#slotOf(group));
        this.#program.push({ op: 'backreference', groups, isBackward });
        return;
      }
      default:
        this.#program.push({
          op: isBackward ? 'readBackward' : 'read',
          accepts: this.#acceptsOf(element),
        });
    }
  }

  #slotOf(group: AST.CapturingGroup): number {
    const known = this.#slots.get(group);
    if (known !== undefined) return known;
    const slot = this.#newSlots();
    this.#slots.set(group, slot);
    return slot;
  }

  /** Returns the first of two adjacent slots. */
  #newSlots(): number {
    this.#slotCount += 2;
    return this.#slotCount - 2;
  }

  #acceptsOf(element: AST.Element): Accepts {
    if (element.type === 'Character') return (code) => code === element.value;
    // V8 compiles a single set quickly.
    const set = new RegExp(`^(?:${element.raw})$`, this.#flags);
    const cached: boolean[] = [];
    this.#extraSize += SET_SIZE;
    return (code) => {
      if (code >= MAX_CACHED) return set.test(String.fromCodePoint(code));
      return (cached[code] ??= set.test(String.fromCodePoint(code)));
    };
  }

  #addQuantifier({ element, min, max, greedy }: AST.Quantifier, isBackward: boolean): void {
    const slot = this.#newSlots();
    const counts = { min, max, slot };
    if (element.type.startsWith('Character') && greedy && !isBackward) {
      this.#program.push({ op: 'readAll', accepts: this.#acceptsOf(element), ...counts });
      this.#program.push({ op: 'giveBack', slot });
      return;
    }
    const loop: Loop = { op: 'loop', ...counts, isGreedy: greedy, groups: [], after: 0 };
    const start = this.#program.push({ op: 'reset', slot }, loop) - 1;
    this.#program.push({ op: 'loopBody', loop });
    this.#add(element, isBackward);
    loop.after = this.#program.push({ op: 'jump', to: start });
    loop.groups = [...this.#slots]
      .filter(([group]) => group.start >= element.start && group.end <= element.end)
      .flatMap(([, group]) => [group, group + 1]);
    this.#extraSize += loop.groups.length;
  }

  #addAssertion(element: AST.Assertion): void {
    if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
      const look = { op: 'lookaround' as const, isNegative: element.negate, after: 0 };
      this.#program.push(look);
      this.#addAlternatives(element.alternatives, element.kind === 'lookbehind');
      look.after = this.#program.push({ op: 'match' });
      return;
    }
    const { kind } = element;
    const isInside = kind === 'word' && element.negate;
    this.#program.push({
      op: 'assert',
      holds: (text, at) => {
        if (kind === 'start') return at === 0;
        if (kind === 'end') return at === text.length;
        return (isWord(text[at - 1]) === isWord(text[at])) === isInside;
      },
    });
  }
}

const isWord = (unit = ''): boolean => /^\w$/.test(unit);

const isStart = (element: AST.Element | undefined): boolean =>
  element?.type === 'Assertion' && element.kind === 'start';
