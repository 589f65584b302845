import type { Json } from '../../common/json/value.ts';
import type { Below } from './arrays.ts';
import { unknown, type Goal, type Outcome, type Shape } from './goal.ts';
import type { Node } from './pool.ts';

/** The requirements on members by their names. */
export interface MemberRules {
  readonly shapes: readonly Shape[];
  /** Schemas that every name has to match. */
  readonly names: readonly Node[];
  /** Names that some schema mentions. */
  readonly known: ReadonlySet<string>;
}

/** The requirements on a member whose name no schema mentions. */
export interface Condition {
  readonly key: Goal;
  readonly patterns: readonly (readonly [source: string, matches: boolean])[];
  readonly value: Goal;
}

export interface FreshMember {
  readonly key: string;
  readonly value: Json;
}

/** Maximum number of name patterns: each doubles the number of cases. */
const MAX_PATTERNS = 8;

/** Finds a member with an unused name. */
export function findFresh(
  rules: MemberRules,
  { condition, taken }: { readonly condition: Condition; readonly taken: readonly string[] },
  { pool, inhabit, budget }: Below,
): FreshMember | Outcome {
  const patterns = [
    ...new Set([
      ...condition.patterns.map(([source]) => source),
      ...rules.shapes.flatMap(({ patterns }) => patterns.map(([source]) => source)),
    ]),
  ];
  if (patterns.length > MAX_PATTERNS) return unknown('too many name patterns to compare');
  const others = [...new Set([...rules.known, ...taken])];
  let basis = Infinity;
  let doubt: Outcome | null = null;
  for (const matched of subsetsOf(patterns)) {
    const isMeant = condition.patterns.every(([source, is]) => matched.has(source) === is);
    if (!isMeant) continue;
    if (!budget.spend(1)) return unknown('too many cases to compare');
    const key = inhabit([
      { node: pool.intern({ type: 'string' }), is: true },
      ...(others.length === 0 ? [] : [{ node: pool.intern({ enum: others }), is: false }]),
      ...rules.names.map((node) => ({ node, is: true })),
      ...patterns.map((source) => ({
        node: pool.intern({ pattern: source, type: 'string' }),
        is: matched.has(source),
      })),
      ...condition.key,
    ]);
    const value =
      key.is === 'inhabited' ? inhabit([...asked(rules, matched), ...condition.value]) : key;
    if (value.is === 'inhabited' && key.is === 'inhabited') {
      return { key: key.value as string, value: value.value };
    }
    if (value.is === 'unknown') doubt ??= value;
    else if (value.is === 'empty') basis = Math.min(basis, value.basis);
  }
  return doubt ?? { is: 'empty', basis };
}

/** Returns the requirements on the value of a member whose name matches exactly these patterns. */
function asked({ shapes }: MemberRules, matched: ReadonlySet<string>): Goal {
  return shapes.flatMap(({ patterns, additional }) => {
    const matching = patterns.filter(([source]) => matched.has(source)).map(([, node]) => node);
    return (matching.length === 0 ? [additional] : matching).map((node) => ({ node, is: true }));
  });
}

function* subsetsOf(patterns: readonly string[]): Generator<ReadonlySet<string>> {
  for (let bits = 0; bits < 2 ** patterns.length; bits += 1) {
    yield new Set(patterns.filter((_, index) => (bits >> index) % 2 === 1));
  }
}
