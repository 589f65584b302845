/** Continues behind what was matched; false when the remaining expression does not match there. */
type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

interface Run {
  text: string;
  readonly maxSteps: number;
  steps: number;
}

class TooManySteps extends Error {}

/**
 * Returns a function that counts the steps on a text of a matcher that backtracks as those of JavaScript
 * engines do, over every place a match may start at; Infinity when there are more than `maxSteps`. Counting
 * does not depend on the machine.
 */
export function stepCounter(expression: RegExp, maxSteps: number): (text: string) => number {
  const run: Run = { text: '', maxSteps, steps: 0 };
  const match = new Reader(expression, run).read();
  return (text) => {
    Object.assign(run, { text, steps: 0 });
    const last = expression.sticky ? 0 : text.length;
    try {
      for (let at = 0; at <= last; at += 1) if (match(at, () => true)) break;
    } catch (error) {
      if (error instanceof TooManySteps) return Infinity;
      throw error;
    }
    return run.steps;
  };
}

/** Reads an expression into a function that matches it. */
class Reader {
  readonly #source: string;
  readonly #flags: string;
  readonly #run: Run;
  #at = 0;

  constructor({ source, flags }: RegExp, run: Run) {
    this.#source = source;
    this.#flags = flags.replaceAll(/[gy]/g, '');
    this.#run = run;
  }

  read(): Matcher {
    const branches: Matcher[] = [];
    let terms: Matcher[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at += 1;
        branches.push(inARow(terms));
        terms = [];
      } else {
        terms.push(this.#quantified(this.#atom()));
      }
    }
    branches.push(inARow(terms));
    return (at, next) => branches.some((branch) => branch(at, next));
  }

  #atom(): Matcher {
    const rest = this.#source.slice(this.#at);
    const [group] = /^\((?:\?(?:<?[=!]|<\w+>|:))?/.exec(rest) ?? [];
    if (group !== undefined) return this.#group(group);
    const [text] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\.|[^])/s.exec(
        rest,
      )!;
    this.#at += text.length;
    if (/^(?:\^|\$|\\[bB])$/.test(text)) return this.#assertion(text);
    if (/^\\[1-9k]/.test(text)) throw new Error(`cannot count the steps of ${text}`);
    return this.#character(text);
  }

  #group(head: string): Matcher {
    const begin = (this.#at += head.length);
    const inner = this.read();
    const source = this.#source.slice(begin, this.#at);
    this.#at += 1;
    if (!/[=!]$/.test(head)) return inner;
    const isPositive = head.endsWith('=');
    if (!head.includes('<')) {
      return (at, next) => inner(at, () => true) === isPositive && next(at);
    }
    // Engines match backward. Without repetitions, an expression matches no more than its length.
    const outside = source.replaceAll(/\[(?:\\.|[^\]\\])*\]|\\./gs, '.');
    const longest = /[*+{]/.test(outside) ? Infinity : source.length;
    const endsAt = (at: number): boolean => {
      const first = Math.max(0, at - longest);
      for (let from = at; from >= first; from -= 1)
        if (inner(from, (end) => end === at)) return true;
      return false;
    };
    return (at, next) => endsAt(at) === isPositive && next(at);
  }

  #assertion(source: string): Matcher {
    const run = this.#run;
    const isWord = (at: number): boolean => /^\w$/.test(run.text[at] ?? '');
    const isMultiline = this.#flags.includes('m');
    const holds: Readonly<Record<string, (at: number) => boolean>> = {
      '^': (at) => at === 0 || (isMultiline && run.text[at - 1] === '\n'),
      $: (at) => at === run.text.length || (isMultiline && run.text[at] === '\n'),
      '\\b': (at) => isWord(at) !== isWord(at - 1),
      '\\B': (at) => isWord(at) === isWord(at - 1),
    };
    const holdsAt = holds[source]!;
    return (at, next) => {
      this.#step();
      return holdsAt(at) && next(at);
    };
  }

  #character(source: string): Matcher {
    const run = this.#run;
    const expression = new RegExp(`^(?:${source})$`, this.#flags.replaceAll('m', ''));
    const known = new Map<string, boolean>();
    return (at, next) => {
      this.#step();
      const character = run.text[at];
      if (character === undefined) return false;
      let isOfClass = known.get(character);
      if (isOfClass === undefined) known.set(character, (isOfClass = expression.test(character)));
      return isOfClass && next(at + 1);
    };
  }

  #quantified(inner: Matcher): Matcher {
    const rest = this.#source.slice(this.#at);
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(rest);
    if (found === null) return inner;
    this.#at += found[0].length;
    const [, sign, low, comma, high, lazy] = found;
    const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0;
    const most = sign === '?' ? 1 : Infinity;
    const max = sign !== undefined ? most : comma === '' ? min : high === '' ? most : Number(high);
    const repeat = (count: number, at: number, next: Next): boolean => {
      this.#step();
      const again = (): boolean =>
        count < max &&
        inner(at, (end) => (end !== at || count < min) && repeat(count + 1, end, next));
      if (count < min) return again();
      return lazy === '?' ? next(at) || again() : again() || next(at);
    };
    return (at, next) => repeat(0, at, next);
  }

  #step(): void {
    this.#run.steps += 1;
    if (this.#run.steps > this.#run.maxSteps) throw new TooManySteps();
  }
}

function inARow(terms: readonly Matcher[]): Matcher {
  return terms.reduceRight<Matcher>(
    (after, term) => (at, next) => term(at, (end) => after(end, next)),
    (at, next) => next(at),
  );
}
