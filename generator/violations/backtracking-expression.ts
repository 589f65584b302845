import { compileBacktracking, type Program, type Run } from './backtracking-program.ts';

/** Maximum number of entries that a match keeps to go back to: 32 MB. */
const MAX_PENDING = 4_000_000;

/**
 * An expression that is matched by backtracking, as ECMA-262 (22.2.2) defines it. Unlike the engine of
 * V8, whose compiler takes exponential time for some expressions and cannot be interrupted, this one
 * compiles in linear time and runs as JavaScript, which a time limit ends.
 */
export class BacktrackingExpression {
  readonly #program: Program;
  readonly #unicode: boolean;
  readonly #state: number[] = [];
  /** Pairs: a place and the character to go on at, or the complement of a slot and its earlier value. */
  readonly #pending: number[] = [];

  /** @throws SyntaxError or RangeError when the expression cannot be compiled */
  constructor(source: string, flags: string) {
    this.#program = compileBacktracking(source, flags);
    this.#unicode = flags.includes('u');
  }

  get size(): number {
    return this.#program.size;
  }

  /** @throws RangeError when the match needs too much memory */
  test(text: string): boolean {
    this.forget();
    try {
      for (let slot = 0; slot < this.#program.slots; slot += 1) this.#state.push(-1);
      const last = this.#program.isAnchored ? 0 : text.length;
      // A start that does not match restores the state.
      for (let at = 0; at <= last; at += lengthOf(this.#codeAt(text, at))) {
        if (this.#run(0, at, text)) return true;
      }
      return false;
    } finally {
      this.forget();
    }
  }

  /** Forgets the state of a match that was interrupted. */
  forget(): void {
    this.#pending.length = 0;
    this.#state.length = 0;
  }

  /** NaN at the end. */
  #codeAt(text: string, at: number): number {
    return this.#unicode ? (text.codePointAt(at) ?? NaN) : text.charCodeAt(at);
  }

  /** NaN at the start. */
  #codeBefore(text: string, at: number): number {
    const code = at > 1 ? this.#codeAt(text, at - 2) : 0;
    return lengthOf(code) === 2 ? code : text.charCodeAt(at - 1);
  }

  /** Runs the program from a place to its end, or to the end of a lookaround. */
  #run(start: number, from: number, text: string): boolean {
    const { instructions } = this.#program;
    const bottom = this.#pending.length;
    let place = start;
    let at = from;
    for (;;) {
      const instruction = instructions[place]!;
      place += 1;
      let isMatch = true;
      switch (instruction.does) {
        case 'read': {
          const code = this.#codeAt(text, at);
          isMatch = at < text.length && instruction.accepts(code);
          at += lengthOf(code);
          break;
        }
        case 'readBack': {
          const code = this.#codeBefore(text, at);
          isMatch = at > 0 && instruction.accepts(code);
          at -= lengthOf(code);
          break;
        }
        case 'run': {
          const end = this.#endOfRun(instruction, text, at);
          isMatch = end >= 0;
          at = end;
          if (isMatch && at > this.#state[instruction.slot]!) this.#push(place, at);
          place += 1;
          break;
        }
        case 'shorten':
          at -= lengthOf(this.#codeBefore(text, at));
          if (at > this.#state[instruction.slot]!) this.#push(place - 1, at);
          break;
        case 'check':
          isMatch = instruction.holds(text, at);
          break;
        case 'compare': {
          const { groups, isBack } = instruction;
          const group = groups.find((slot) => this.#isSet(slot));
          if (group === undefined) break;
          const wanted = text.slice(this.#state[group], this.#state[group + 1]);
          const begin = isBack ? at - wanted.length : at;
          isMatch = begin >= 0 && text.startsWith(wanted, begin);
          at += isBack ? -wanted.length : wanted.length;
          break;
        }
        case 'keep':
          this.#set(instruction.slot, at);
          break;
        case 'reset':
          this.#set(instruction.slot, 0);
          break;
        case 'jump':
          place = instruction.to;
          break;
        case 'branch':
          for (const other of instruction.others) this.#push(other, at);
          break;
        case 'loop': {
          const { least, most, isGreedy, slot, after } = instruction;
          const count = this.#state[slot]!;
          // A repetition of nothing ends the loop.
          if (count > least && at === this.#state[slot + 1]) isMatch = false;
          else if (count >= most) place = after;
          else if (count >= least) {
            this.#push(isGreedy ? after : place, at);
            if (!isGreedy) place = after;
          }
          break;
        }
        case 'enter': {
          const { slot, groups } = instruction.loop;
          this.#set(slot, this.#state[slot]! + 1);
          this.#set(slot + 1, at);
          for (const group of groups) this.#set(group, -1);
          break;
        }
        case 'look':
          isMatch = this.#look(place, at, text, instruction.isNegative);
          place = instruction.after;
          break;
        case 'end':
          return true;
      }
      if (isMatch) continue;
      if (!this.#goBack(bottom)) return false;
      at = this.#pending.pop()!;
      place = this.#pending.pop()!;
    }
  }

  /** Returns where the characters of a run end, or -1 if there are too few. */
  #endOfRun({ accepts, least, most, slot }: Run, text: string, from: number): number {
    let end = from;
    let count = 0;
    while (count < most && end < text.length) {
      const code = this.#codeAt(text, end);
      if (!accepts(code)) break;
      end += lengthOf(code);
      count += 1;
      if (count === least) this.#set(slot, end);
    }
    if (least === 0) this.#set(slot, from);
    return count < least ? -1 : end;
  }

  #look(start: number, at: number, text: string, isNegative: boolean): boolean {
    const bottom = this.#pending.length;
    const isMatch = this.#run(start, at, text);
    if (isMatch && !isNegative) this.#keepGroups(bottom);
    else while (this.#goBack(bottom)) this.#pending.length -= 2;
    return isMatch !== isNegative;
  }

  /** Forgets the other ways to match a lookaround, but not what to restore when going back before it. */
  #keepGroups(bottom: number): void {
    let kept = bottom;
    for (let index = bottom; index < this.#pending.length; index += 2) {
      if (this.#pending[index]! >= 0) continue;
      this.#pending[kept] = this.#pending[index]!;
      this.#pending[kept + 1] = this.#pending[index + 1]!;
      kept += 2;
    }
    this.#pending.length = kept;
  }

  /** Restores the state before the last other way to match, which is on top then, if there is one. */
  #goBack(bottom: number): boolean {
    for (let top = this.#pending.length; top > bottom; top -= 2) {
      const place = this.#pending[top - 2]!;
      if (place >= 0) {
        this.#pending.length = top;
        return true;
      }
      this.#state[~place] = this.#pending[top - 1]!;
    }
    this.#pending.length = bottom;
    return false;
  }

  #isSet(group: number): boolean {
    return this.#state[group]! >= 0 && this.#state[group + 1]! >= 0;
  }

  #set(slot: number, value: number): void {
    this.#push(~slot, this.#state[slot]!);
    this.#state[slot] = value;
  }

  #push(place: number, value: number): void {
    if (this.#pending.length >= MAX_PENDING) throw new RangeError('too much to go back to');
    this.#pending.push(place, value);
  }
}

const lengthOf = (code: number): number => (code > 0xffff ? 2 : 1);
