import { charactersOf, parseExpression, type Node, type Term } from '../pattern/expression.ts';
import { UnsatisfiableSchemaError } from './unsatisfiable.ts';

interface TextOptions {
  readonly random: () => number;
  readonly maxCharacters: number;
  /** Called with the number of steps before they are taken; throws if they are too many. */
  readonly onSteps?: ((steps: number) => void) | undefined;
}

/** Maximum number of repetitions beyond the minimum. */
const MAX_SPARE = 8;

/** Characters that are tried for each set. */
const STEPS_PER_SET = 100;

/**
 * Generates a text for a pattern. It may not match because of lookarounds and back-references.
 *
 * @throws UnsatisfiableSchemaError if it would be too large, or no character of a set was found
 */
export function makeText(pattern: string, { random, maxCharacters, onSteps }: TextOptions): string {
  const root = parseExpression(pattern);
  if (root === null) throw new UnsatisfiableSchemaError('the pattern is too long or too deep');
  const sets = new Map<string, readonly string[]>();
  const size = sizeOf(root, sets);
  // Not a number if a repetition has more digits than a number.
  if (!(size <= maxCharacters)) throw new UnsatisfiableSchemaError('the strings are too long');
  const tried = [...sets.keys()].reduce((sum, { length }) => sum + length + STEPS_PER_SET, 0);
  onSteps?.(pattern.length + size + tried);

  const upTo = (most: number): number => Math.min(most, Math.floor(random() * (most + 1)));
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length - 1)]!;

  function characterOf(source: string): string {
    const known = sets.get(source) ?? [];
    if (known.length > 0) return pick(known);
    const characters = [...charactersOf(source)];
    if (characters.length === 0) {
      throw new UnsatisfiableSchemaError(`no character found for ${source.slice(0, 100)}`);
    }
    const plain = characters.filter((each) => each >= ' ' && each <= '~');
    const chosen = plain.length > 0 ? plain : characters;
    sets.set(source, chosen);
    return pick(chosen);
  }

  function textOf(node: Node): string {
    if (node.kind === 'nothing') return '';
    if (node.kind === 'any') return characterOf(node.source);
    return pick(node.branches)
      .map((term) => {
        const { min, spare } = repeatsOf(term);
        return Array.from({ length: min + upTo(spare) }, () => textOf(term.node)).join('');
      })
      .join('');
  }

  return textOf(root);
}

function repeatsOf({ min, max }: Term): { readonly min: number; readonly spare: number } {
  return { min, spare: Math.min(max - min, MAX_SPARE) };
}

/**
 * Returns the maximum number of parts of a generated text: repetitions multiply, and those of nothing count
 * too. Adds the sources of its characters to `sets`.
 */
function sizeOf(node: Node, sets: Map<string, readonly string[]>): number {
  if (node.kind === 'nothing') return 1;
  if (node.kind === 'any') {
    sets.set(node.source, []);
    return 1;
  }
  const sizes = node.branches.map((terms) => {
    return terms.reduce((sum, term) => {
      const { min, spare } = repeatsOf(term);
      return sum + (min + spare) * sizeOf(term.node, sets);
    }, 1);
  });
  return Math.max(...sizes);
}
