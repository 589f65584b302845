import { compileBacktracking, type Program, type ReadAll } from './backtracking-program.ts';

/** Maximum number of numbers on the stack: 32 MB. */
const MAX_STACK = 4_000_000;

/**
 * An expression that is matched by backtracking, as ECMA-262 (22.2.2) defines it. Unlike the engine of
 * V8, whose compiler takes exponential time for some expressions and cannot be interrupted, this one
 * compiles in linear time and runs as JavaScript, which a time limit ends.
 */
export class BacktrackingExpression {
  readonly #program: Program;
  readonly #unicode: boolean;
  readonly #state: number[] = [];
  /**
   * Pairs: an instruction and the position in the text to continue at, or the complement of a slot and the
   * value to restore.
   */
  readonly #backtrackStack: number[] = [];

  private constructor(program: Program, flags: string) {
    this.#program = program;
    this.#unicode = flags.includes('u');
  }

  /** Returns null for an expression that is too long or too deep, or has modifiers. */
  static compile(source: string, flags: string): BacktrackingExpression | null {
    const program = compileBacktracking(source, flags);
    return program && new BacktrackingExpression(program, flags);
  }

  /** The memory that it takes, in instructions. */
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
    this.#backtrackStack.length = 0;
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

  /** Runs the program from an instruction to its end, or to the end of a lookaround. */
  #run(start: number, from: number, text: string): boolean {
    const { instructions } = this.#program;
    const base = this.#backtrackStack.length;
    let pc = start;
    let at = from;
    for (;;) {
      const instruction = instructions[pc]!;
      pc += 1;
      let isMatch = true;
      switch (instruction.op) {
        case 'read': {
          const code = this.#codeAt(text, at);
          isMatch = at < text.length && instruction.accepts(code);
          at += lengthOf(code);
          break;
        }
        case 'readBackward': {
          const code = this.#codeBefore(text, at);
          isMatch = at > 0 && instruction.accepts(code);
          at -= lengthOf(code);
          break;
        }
        case 'readAll': {
          const end = this.#endOfReadAll(instruction, text, at);
          isMatch = end >= 0;
          at = end;
          if (isMatch && at > this.#state[instruction.slot]!) this.#push(pc, at);
          pc += 1;
          break;
        }
        case 'giveBack':
          at -= lengthOf(this.#codeBefore(text, at));
          if (at > this.#state[instruction.slot]!) this.#push(pc - 1, at);
          break;
        case 'assert':
          isMatch = instruction.holds(text, at);
          break;
        case 'backreference': {
          const { groups, isBackward } = instruction;
          const group = groups.find((slot) => this.#isSet(slot));
          if (group === undefined) break;
          const wanted = text.slice(this.#state[group], this.#state[group + 1]);
          const begin = isBackward ? at - wanted.length : at;
          isMatch = begin >= 0 && text.startsWith(wanted, begin);
          at += isBackward ? -wanted.length : wanted.length;
          break;
        }
        case 'save':
          this.#set(instruction.slot, at);
          break;
        case 'reset':
          this.#set(instruction.slot, 0);
          break;
        case 'jump':
          pc = instruction.to;
          break;
        case 'split':
          for (const other of instruction.others) this.#push(other, at);
          break;
        case 'loop': {
          const { min, max, isGreedy, slot, after } = instruction;
          const count = this.#state[slot]!;
          // An empty repetition ends the loop.
          if (count > min && at === this.#state[slot + 1]) isMatch = false;
          else if (count >= max) pc = after;
          else if (count >= min) {
            this.#push(isGreedy ? after : pc, at);
            if (!isGreedy) pc = after;
          }
          break;
        }
        case 'loopBody': {
          const { slot, groups } = instruction.loop;
          this.#set(slot, this.#state[slot]! + 1);
          this.#set(slot + 1, at);
          for (const group of groups) this.#set(group, -1);
          break;
        }
        case 'lookaround':
          isMatch = this.#lookAround(pc, at, text, instruction.isNegative);
          pc = instruction.after;
          break;
        case 'match':
          return true;
      }
      if (isMatch) continue;
      if (!this.#backtrack(base)) return false;
      at = this.#backtrackStack.pop()!;
      pc = this.#backtrackStack.pop()!;
    }
  }

  /** Returns the position after the characters, or -1 if there are too few. */
  #endOfReadAll({ accepts, min, max, slot }: ReadAll, text: string, from: number): number {
    let end = from;
    let count = 0;
    while (count < max && end < text.length) {
      const code = this.#codeAt(text, end);
      if (!accepts(code)) break;
      end += lengthOf(code);
      count += 1;
      if (count === min) this.#set(slot, end);
    }
    if (min === 0) this.#set(slot, from);
    return count < min ? -1 : end;
  }

  #lookAround(start: number, at: number, text: string, isNegative: boolean): boolean {
    const base = this.#backtrackStack.length;
    const isMatch = this.#run(start, at, text);
    if (isMatch && !isNegative) this.#dropAlternatives(base);
    else while (this.#backtrack(base)) this.#backtrackStack.length -= 2;
    return isMatch !== isNegative;
  }

  /** Removes the alternatives of a lookaround, which is not matched again; keeps the values to restore. */
  #dropAlternatives(base: number): void {
    let kept = base;
    for (let index = base; index < this.#backtrackStack.length; index += 2) {
      if (this.#backtrackStack[index]! >= 0) continue;
      this.#backtrackStack[kept] = this.#backtrackStack[index]!;
      this.#backtrackStack[kept + 1] = this.#backtrackStack[index + 1]!;
      kept += 2;
    }
    this.#backtrackStack.length = kept;
  }

  /** Restores values until an alternative is on top of the stack. Returns false if there is none. */
  #backtrack(base: number): boolean {
    for (let top = this.#backtrackStack.length; top > base; top -= 2) {
      const pc = this.#backtrackStack[top - 2]!;
      if (pc >= 0) {
        this.#backtrackStack.length = top;
        return true;
      }
      this.#state[~pc] = this.#backtrackStack[top - 1]!;
    }
    this.#backtrackStack.length = base;
    return false;
  }

  #isSet(group: number): boolean {
    return this.#state[group]! >= 0 && this.#state[group + 1]! >= 0;
  }

  #set(slot: number, value: number): void {
    this.#push(~slot, this.#state[slot]!);
    this.#state[slot] = value;
  }

  #push(pc: number, value: number): void {
    if (this.#backtrackStack.length >= MAX_STACK)
      throw new RangeError('the match needs too much memory');
    this.#backtrackStack.push(pc, value);
  }
}

const lengthOf = (code: number): number => (code > 0xffff ? 2 : 1);
