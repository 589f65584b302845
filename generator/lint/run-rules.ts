import type { Severity } from '../../common/diagnostic.ts';
import { createContext, type LintInput } from './context.ts';
import type { RuleFinding } from './rule.ts';
import type { ActiveRule } from './settings.ts';
import { rules } from './rules.ts';
import { covers, findSuppressions, type Suppression } from './suppressions.ts';

/** Where a rule found fault, before it is known where in which text that is. */
export interface FoundByRule extends RuleFinding {
  /** Id of the rule. */
  readonly code: string;
  readonly severity: Severity;
}

/** Findings of one rule in one document, at most; that there are more is said in their place. */
const MAX_FINDINGS_OF_RULE = 1000;

/**
 * What the rules find in a bundled document, but for what its `x-lint-ignore` stands by. Rules run in
 * the order of the table, so that the last ones know which entries of it are of use.
 */
export function runRules(texts: LintInput, active: readonly ActiveRule[]): readonly FoundByRule[] {
  const entries = findSuppressions(texts.document);
  const used = new Set<Suppression>();
  const context = createContext(texts, {
    entries,
    used,
    active: new Set(active.map(({ rule }) => rule.id)),
    known: [...rules, ...active.map(({ rule }) => rule)].map(({ id }) => id),
  });
  return active.flatMap(({ rule, level, options }) =>
    distinct(rule.check(context, options)).flatMap((found): FoundByRule[] => {
      const finding = { ...found, fix: found.fix ?? rule.fix, code: rule.id, severity: level };
      const covering = entries.filter((entry) => entry.fault === null && covers(entry, finding));
      for (const entry of covering) used.add(entry);
      return covering.length > 0 ? [] : [finding];
    }),
  );
}

// What is shared is found wherever it is used; it is told once.
function distinct(findings: Iterable<RuleFinding>): readonly RuleFinding[] {
  const told = new Map<string, RuleFinding>();
  for (const found of findings) {
    const key = `${found.pointer}\n${found.message}`;
    if (told.size >= MAX_FINDINGS_OF_RULE && !told.has(key)) {
      told.set('', { ...found, message: `${found.message}; more of the same are not told` });
      break;
    }
    if (!told.has(key)) told.set(key, found);
  }
  return [...told.values()];
}
