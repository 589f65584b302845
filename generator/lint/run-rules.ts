import type { Location } from '../problem/location.ts';
import type { Level } from '../report/finding.ts';
import { createContext, type LintInput } from './context.ts';
import type { Remark } from './rule.ts';
import type { ActiveRule } from './settings.ts';
import { rules } from './rules.ts';
import { covers, findSuppressions, type Suppression } from './suppressions.ts';

/** Where a rule found fault, before it is known where in which text that is. */
export interface RuleFinding {
  readonly rule: string;
  readonly level: Level;
  readonly pointer: string;
  readonly message: string;
  readonly fix: string;
  readonly location?: Location;
}

/** Findings of one rule in one document, at most; that there are more is said in their place. */
const MAX_FINDINGS_OF_RULE = 1000;

/**
 * What the rules find in a bundled document, but for what its `x-lint-ignore` stands by. Rules run in
 * the order of the table, so that the last ones know which entries of it are of use.
 */
export function runRules(texts: LintInput, active: readonly ActiveRule[]): readonly RuleFinding[] {
  const entries = findSuppressions(texts.document);
  const used = new Set<Suppression>();
  const context = createContext(texts, {
    entries,
    used,
    active: new Set(active.map(({ rule }) => rule.id)),
    known: [...rules, ...active.map(({ rule }) => rule)].map(({ id }) => id),
  });
  return active.flatMap(({ rule, level, options }) =>
    distinct(rule.check(context, options)).flatMap((remark): RuleFinding[] => {
      const finding = { fix: rule.fix, ...remark, rule: rule.id, level };
      const covering = entries.filter((entry) => entry.fault === null && covers(entry, finding));
      for (const entry of covering) used.add(entry);
      return covering.length > 0 ? [] : [finding];
    }),
  );
}

// What is shared is found wherever it is used; it is told once.
function distinct(remarks: Iterable<Remark>): readonly Remark[] {
  const told = new Map<string, Remark>();
  for (const remark of remarks) {
    const key = `${remark.pointer}\n${remark.message}`;
    if (told.size >= MAX_FINDINGS_OF_RULE && !told.has(key)) {
      told.set('', { ...remark, message: `${remark.message}; more of the same are not told` });
      break;
    }
    if (!told.has(key)) told.set(key, remark);
  }
  return [...told.values()];
}
