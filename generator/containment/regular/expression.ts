import { anyCharacter, charactersOf, type Characters } from './characters.ts';

/**
 * A regular language over code points. Expressions are interned: equal ones of the same factory are the
 * same object, so that an expression has finitely many derivatives (Brzozowski 1964; Owens, Reppy and
 * Turon 2009).
 */
export type Expression = { readonly id: number; readonly acceptsEmpty: boolean } & Shape;

type Shape =
  | { readonly is: 'characters'; readonly set: Characters }
  | { readonly is: 'empty' }
  | { readonly is: 'then'; readonly first: Expression; readonly next: Expression }
  | { readonly is: 'or' | 'and'; readonly parts: readonly Expression[] }
  | { readonly is: 'not'; readonly of: Expression }
  | {
      readonly is: 'repeat';
      readonly of: Expression;
      readonly least: number;
      readonly most: number;
    };

/** The expressions of one search, made by `createExpressions`. */
export type Expressions = ReturnType<typeof createExpressions>;

class TooManySteps extends Error {}

export function createExpressions() {
  const known = new Map<string, Expression>();
  let spent = 0;
  let end = Infinity;

  /** Counts work on expressions; throws `TooManySteps` beyond the limit of `bounded`. */
  function spend(steps: number): void {
    spent += steps;
    if (spent > end) throw new TooManySteps();
  }

  /** Runs `work` within a number of steps; its result is undefined if they do not suffice. */
  function bounded<T>(limit: number, work: () => T): { result: T | undefined; steps: number } {
    const [start, outerEnd] = [spent, end];
    end = Math.min(start + limit, outerEnd);
    try {
      const result = work();
      return { result, steps: spent - start };
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      return { result: undefined, steps: spent - start };
    } finally {
      end = outerEnd;
    }
  }

  function intern(key: string, acceptsEmpty: boolean, shape: Shape): Expression {
    const existing = known.get(key);
    if (existing !== undefined) return existing;
    const expression = { id: known.size, acceptsEmpty, ...shape };
    known.set(key, expression);
    return expression;
  }

  function characters(set: Characters): Expression {
    spend(1 + set.length);
    return intern(`[${set.map((range) => range.join('-')).join()}]`, false, {
      is: 'characters',
      set,
    });
  }
  /** No string at all, the empty string alone, and every string. */
  const nothing = characters([]);
  const empty = intern('', true, { is: 'empty' });
  const one = characters(anyCharacter);
  const everything = intern(`${one.id}{0,Infinity}`, true, {
    is: 'repeat',
    of: one,
    least: 0,
    most: Infinity,
  });

  function then(first: Expression, next: Expression): Expression {
    spend(1);
    if (first === nothing || next === nothing) return nothing;
    if (first === empty) return next;
    if (next === empty) return first;
    if (first === everything && next === everything) return everything;
    if (first.is === 'then') return then(first.first, then(first.next, next));
    const acceptsEmpty = first.acceptsEmpty && next.acceptsEmpty;
    return intern(`${first.id}.${next.id}`, acceptsEmpty, { is: 'then', first, next });
  }

  function combine(is: 'or' | 'and', parts: readonly Expression[]): Expression {
    const [absorbing, neutral] = is === 'or' ? [everything, nothing] : [nothing, everything];
    const flat = parts.flatMap((part) => (part.is === is ? part.parts : [part]));
    spend(flat.length);
    if (flat.includes(absorbing)) return absorbing;
    const all = new Set(flat);
    const distinct = [...all].filter((part) => part !== neutral).toSorted((a, b) => a.id - b.id);
    if (distinct.some((part) => part.is === 'not' && all.has(part.of))) return absorbing;
    if (distinct.length === 0) return neutral;
    if (distinct.length === 1) return distinct[0]!;
    const acceptsEmpty =
      is === 'or'
        ? distinct.some((part) => part.acceptsEmpty)
        : distinct.every((part) => part.acceptsEmpty);
    const key = `${is}(${distinct.map(({ id }) => id).join()})`;
    return intern(key, acceptsEmpty, { is, parts: distinct });
  }

  function not(of: Expression): Expression {
    if (of === nothing) return everything;
    if (of === everything) return nothing;
    if (of.is === 'not') return of.of;
    return intern(`!${of.id}`, !of.acceptsEmpty, { is: 'not', of });
  }

  function repeat(
    of: Expression,
    { least, most }: { readonly least: number; readonly most: number },
  ): Expression {
    if (least > most) return nothing;
    if (most === 0 || of === empty) return empty;
    if (least === 1 && most === 1) return of;
    if (of === nothing) return least === 0 ? empty : nothing;
    if (of === everything && least <= 1) return everything;
    // A part that may be empty may also be left out.
    const from = of.acceptsEmpty ? 0 : least;
    const acceptsEmpty = from === 0;
    return intern(`${of.id}{${from},${most}}`, acceptsEmpty, {
      is: 'repeat',
      of,
      least: from,
      most,
    });
  }

  const sequence = (parts: readonly Expression[]) =>
    parts.toReversed().reduce((next, part) => then(part, next), empty);

  return {
    spend,
    bounded,
    nothing,
    empty,
    everything,
    characters,
    literal: (text: string) => sequence([...text].map((each) => characters(charactersOf(each)))),
    sequence,
    or: (parts: readonly Expression[]) => combine('or', parts),
    and: (parts: readonly Expression[]) => combine('and', parts),
    not,
    repeat,
  };
}
