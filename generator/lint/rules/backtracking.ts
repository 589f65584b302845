import { BacktrackingExpression } from '../../violations/backtracking-expression.ts';
import { runWithin, TIMED_OUT } from '../../violations/time-limit.ts';
import {
  parseExpression,
  sampleOf,
  sampleOfTerms,
  toExpression,
  type Node,
  type Term,
} from '../../../common/pattern/expression.ts';

/**
 * Repetitions of the attack text: enough for 2^32 ways to match, too few for polynomial backtracking to
 * time out.
 */
const REPEATS = 32;

/** Time limits of the first and the second try; the second tolerates a busy machine. */
const TIME_LIMITS_MS = [50, 500];

/** Maximum number of places tried in one expression. */
const MAX_ATTACKS = 12;

/** Makes the match fail, so that every way to match the text before it is tried. */
const MISMATCH = '\u0000';

/**
 * Returns a short text on which an expression backtracks for a very long time, or null if none was
 * found. Tries repetitions within a repetition.
 */
export function findBacktracking(source: string): string | null {
  if (!isRisky(source)) return null;
  const root = parseExpression(source);
  const native = toExpression(source);
  if (root === null || native === null) return null;
  const expression = BacktrackingExpression.compile(source, native.flags);
  if (expression === null) return null;
  const texts = ['', ...[...attacksOn(root, '')].slice(0, MAX_ATTACKS)];
  return texts.find((text) => isEndless(expression, text)) ?? null;
}

function isEndless(expression: BacktrackingExpression, text: string): boolean {
  try {
    return TIME_LIMITS_MS.every(
      (limit) => runWithin(limit, () => expression.test(text)) === TIMED_OUT,
    );
  } catch (error) {
    // It needs too much memory.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/**
 * Returns whether an expression may take very long on some text: it has a repetition within a repetition,
 * many in a row, or it is too large to be parsed.
 */
function isRisky(source: string): boolean {
  const first = source.search(/[*+}|]/);
  if (first < 0 || !/[*+}]/.test(source.slice(first + 1))) return false;
  const root = parseExpression(source);
  return root === null || hasNested(root) || countRepeated(root) > MAX_IN_A_ROW;
}

/** This many overlapping repetitions take at most the fourth power of the text's length. */
const MAX_IN_A_ROW = 3;

function hasNested(node: Node): boolean {
  return termsOf(node).some(
    (term) => (isRepeated(term) && canSplit(term.node)) || hasNested(term.node),
  );
}

function countRepeated(node: Node): number {
  const counts = termsOf(node).map((term) => Number(isRepeated(term)) + countRepeated(term.node));
  return counts.reduce((sum, each) => sum + each, 0);
}

function termsOf(node: Node): readonly Term[] {
  return node.kind === 'group' ? node.branches.flat() : [];
}

function* attacksOn(node: Node, before: string): Generator<string> {
  if (node.kind !== 'group') return;
  for (const terms of node.branches) {
    for (const [index, term] of terms.entries()) {
      const lead = sampleOfTerms(terms.slice(0, index));
      if (lead === null) break;
      if (isRepeated(term) && canSplit(term.node)) {
        for (const pump of pumpsOf(term.node))
          yield before + lead + pump.repeat(REPEATS) + MISMATCH;
      }
      yield* attacksOn(term.node, before + lead);
    }
  }
}

function isRepeated({ max }: Term): boolean {
  return max >= REPEATS;
}

/** True when one text may be matched by the node in several ways: it repeats, or has branches. */
function canSplit(node: Node): boolean {
  if (node.kind !== 'group') return false;
  if (node.branches.length > 1) return true;
  return node.branches[0]!.some((term) => term.max > term.min || canSplit(term.node));
}

function pumpsOf(node: Node): readonly string[] {
  if (node.kind !== 'group') return [];
  const branches = node.branches.map((terms) => {
    // Optional parts are included once: they can be matched in two ways.
    return sampleOfTerms(terms.map((term) => ({ ...term, min: Math.max(1, term.min) })));
  });
  const all = [...branches, sampleOf(node)].filter((each) => each !== null && each !== '');
  return [...new Set(all as readonly string[])];
}
