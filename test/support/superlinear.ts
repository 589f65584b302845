import {
  parseExpression,
  sampleOf,
  sampleOfTerms,
  type Node,
  type Term,
} from '../../common/pattern/expression.ts';
import { stepCounter } from './matching-steps.ts';

/** How often a part of a text is repeated, then twice and four times as often. */
const REPEATS = 16;
const MAX_STEPS = 200_000;
/** Twice the text takes twice the steps where they are linear, and four times where they are square. */
const MAX_GROWTH = 3;

/** No expression is likely to match the first; the second is the end of the text. */
const ENDINGS = ['\u0000', '', '0', 'a', '!'];
/** A quote that ends no string. */
const ESCAPES = ['\\"', "\\'"];
const LETTERS = ['a', '0', 'A', ' ', '"', "'", '\\', '\n', '.', '-', ':', ';', '/', '=', 'x', '\t'];

/**
 * The beginning of a text on which an expression takes more than linear time, found by trying texts
 * made for it; null when none was found.
 */
export function findSuperlinear(expression: RegExp): string | null {
  const root = parseExpression(expression.source);
  if (root === null) throw new Error(`cannot read ${expression.source}`);
  const { leads, pumps, repeats } = partsOf(root);
  if (!repeats) return null;
  const countSteps = stepCounter(expression, MAX_STEPS);
  for (const lead of leads) {
    for (const pump of pumps) {
      for (const ending of ENDINGS) {
        const stepsOf = (count: number): number => countSteps(lead + pump.repeat(count) + ending);
        // A bound of the expression, too, makes the steps grow once.
        if (grows(stepsOf, REPEATS) && grows(stepsOf, 2 * REPEATS)) return lead + pump + pump;
      }
    }
  }
  return null;
}

function grows(stepsOf: (count: number) => number, count: number): boolean {
  const steps = stepsOf(2 * count);
  return steps === Infinity || steps > MAX_GROWTH * stepsOf(count);
}

interface Parts {
  /** What a text has to begin with to get to each repetition. */
  readonly leads: ReadonlySet<string>;
  readonly pumps: ReadonlySet<string>;
  /** Whether a part may be repeated often: without one, the steps at each character are bounded. */
  readonly repeats: boolean;
}

function partsOf(root: Node): Parts {
  // The second is for expressions that would end at once at the beginning of a text.
  const leads = new Set(['', '\u0000']);
  const pumps = new Set([...LETTERS, ...ESCAPES]);
  let repeats = false;
  const addPump = (text: string | null): void => {
    if (text !== null && text !== '') pumps.add(text);
  };
  const visit = (node: Node, before: string): void => {
    if (node.kind !== 'group') return;
    for (const terms of node.branches) {
      addPump(sampleOfTerms(terms.map(once)));
      for (const [index, term] of terms.entries()) {
        const lead = sampleOfTerms(terms.slice(0, index).map(once)) ?? '';
        if (term.max >= REPEATS) {
          repeats = true;
          leads.add(before + lead);
          addPump(lead);
          addPump(sampleOf(term.node));
          addPump(lead + (sampleOf(term.node) ?? ''));
        }
        visit(term.node, before + lead);
      }
    }
  };
  visit(root, '');
  return { leads, pumps, repeats };
}

/** What may be left out is put in once. */
function once(term: Term): Term {
  return { ...term, min: Math.max(1, term.min) };
}
