import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Longer expressions are not run. */
const MAX_LENGTH = 5_000;

/** What a set accepts of the most usual characters is kept, in the memory of so many instructions. */
const MAX_KNOWN = 256;
const SET_SIZE = 32;

/** Checks a character by its code point, or by its UTF-16 unit without the flag "u". */
type Accepts = (code: number) => boolean;

/** Places are indexes of the program, slots those of the state. */
export type Instruction =
  | { readonly does: 'read' | 'readBack'; readonly accepts: Accepts }
  | Run
  | { readonly does: 'shorten'; readonly slot: number }
  | { readonly does: 'check'; readonly holds: (text: string, at: number) => boolean }
  | { readonly does: 'compare'; readonly groups: readonly number[]; readonly isBack: boolean }
  | { readonly does: 'keep' | 'reset'; readonly slot: number }
  | { readonly does: 'jump'; to: number }
  | { readonly does: 'branch'; readonly others: number[] }
  | { readonly does: 'look'; readonly isNegative: boolean; after: number }
  | Loop
  | { readonly does: 'enter'; readonly loop: Loop }
  | { readonly does: 'end' };

/** Reads as many characters as it can; `shorten`, which follows it, gives back the last of them. */
export interface Run {
  readonly does: 'run';
  readonly accepts: Accepts;
  readonly least: number;
  readonly most: number;
  /** The state holds the character here before which it must not end. */
  readonly slot: number;
}

export interface Loop {
  readonly does: 'loop';
  readonly least: number;
  readonly most: number;
  readonly isGreedy: boolean;
  /** The state holds the number of repetitions here, and next to it where the last one began. */
  readonly slot: number;
  /** The slots of the groups within it: each repetition begins without them. */
  groups: readonly number[];
  after: number;
}

/** What a match by backtracking executes. */
export interface Program {
  readonly instructions: readonly Instruction[];
  /** The number of slots of the state. */
  readonly slots: number;
  /** The memory that it takes, in instructions. */
  readonly size: number;
  /** Whether it can only match at the start of a text. */
  readonly isAnchored: boolean;
}

/**
 * Compiles an expression in linear time.
 *
 * @throws SyntaxError when the expression is not valid, too long, or has modifiers
 * @throws RangeError when its groups are nested too deeply
 */
export function compileBacktracking(source: string, flags: string): Program {
  if (source.length > MAX_LENGTH) throw new SyntaxError('too long');
  const unicode = flags.includes('u');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
  return new Compiler(flags).compile(pattern);
}

class Compiler {
  readonly #program: Instruction[] = [];
  readonly #flags: string;
  readonly #slots = new Map<AST.CapturingGroup, number>();
  #slotCount = 0;
  /** The memory beside the instructions. */
  #more = 0;

  constructor(flags: string) {
    this.#flags = flags;
  }

  compile({ alternatives }: AST.Pattern): Program {
    this.#choice(alternatives, false);
    this.#program.push({ does: 'end' });
    const size = this.#program.length + this.#more;
    const isAnchored = alternatives.every(({ elements: [first] }) => isStart(first));
    return { instructions: this.#program, slots: this.#slotCount, size, isAnchored };
  }

  #choice(alternatives: readonly AST.Alternative[], isBack: boolean): void {
    const others: number[] = [];
    if (alternatives.length > 1) this.#program.push({ does: 'branch', others });
    const jumps: { does: 'jump'; to: number }[] = [];
    for (const [index, { elements }] of alternatives.entries()) {
      if (index > 0) {
        const jump = { does: 'jump' as const, to: 0 };
        jumps.push(jump);
        // The last alternative is the first to be pushed.
        others.unshift(this.#program.push(jump));
      }
      for (const element of isBack ? elements.toReversed() : elements) this.#add(element, isBack);
    }
    for (const jump of jumps) jump.to = this.#program.length;
  }

  #add(element: AST.Element, isBack: boolean): void {
    switch (element.type) {
      case 'Group':
        if (element.modifiers !== null) throw new SyntaxError('modifiers');
        this.#choice(element.alternatives, isBack);
        return;
      case 'CapturingGroup': {
        const slot = this.#slotOf(element);
        this.#program.push({ does: 'keep', slot: slot + Number(isBack) });
        this.#choice(element.alternatives, isBack);
        this.#program.push({ does: 'keep', slot: slot + Number(!isBack) });
        return;
      }
      case 'Quantifier':
        this.#repeat(element, isBack);
        return;
      case 'Assertion':
        this.#assert(element);
        return;
      case 'Backreference': {
        const groups = [element.resolved].flat().map((group) => this.#slotOf(group));
        this.#program.push({ does: 'compare', groups, isBack });
        return;
      }
      default:
        this.#program.push({
          does: isBack ? 'readBack' : 'read',
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

  /** Two of them, next to each other. */
  #newSlots(): number {
    this.#slotCount += 2;
    return this.#slotCount - 2;
  }

  #acceptsOf(element: AST.Element): Accepts {
    if (element.type === 'Character') return (code) => code === element.value;
    // A single set, which V8 compiles at once.
    const set = new RegExp(`^(?:${element.raw})$`, this.#flags);
    const known: boolean[] = [];
    this.#more += SET_SIZE;
    return (code) => {
      if (code >= MAX_KNOWN) return set.test(String.fromCodePoint(code));
      return (known[code] ??= set.test(String.fromCodePoint(code)));
    };
  }

  #repeat({ element, min, max, greedy }: AST.Quantifier, isBack: boolean): void {
    const slot = this.#newSlots();
    const counts = { least: min, most: max, slot };
    if (element.type.startsWith('Character') && greedy && !isBack) {
      this.#program.push({ does: 'run', accepts: this.#acceptsOf(element), ...counts });
      this.#program.push({ does: 'shorten', slot });
      return;
    }
    const loop: Loop = { does: 'loop', ...counts, isGreedy: greedy, groups: [], after: 0 };
    const start = this.#program.push({ does: 'reset', slot }, loop) - 1;
    this.#program.push({ does: 'enter', loop });
    this.#add(element, isBack);
    loop.after = this.#program.push({ does: 'jump', to: start });
    loop.groups = [...this.#slots]
      .filter(([group]) => group.start >= element.start && group.end <= element.end)
      .flatMap(([, group]) => [group, group + 1]);
    this.#more += loop.groups.length;
  }

  #assert(element: AST.Assertion): void {
    if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
      const look = { does: 'look' as const, isNegative: element.negate, after: 0 };
      this.#program.push(look);
      this.#choice(element.alternatives, element.kind === 'lookbehind');
      look.after = this.#program.push({ does: 'end' });
      return;
    }
    const { kind } = element;
    const isInside = kind === 'word' && element.negate;
    this.#program.push({
      does: 'check',
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
