import type { Severity } from '../../common/diagnostic.ts';
import { createContext, type LintInput } from './context.ts';
import type { RuleFinding } from './rule.ts';
import type { ActiveRule } from './settings.ts';
import { rules } from './rules.ts';
import { covers, findSuppressions, type Suppression } from './suppressions.ts';

/** A finding with the id and severity of its rule. */
export interface FoundByRule extends RuleFinding {
  /** Id of the rule. */
  readonly code: string;
  readonly severity: Severity;
}

/** Maximum findings of a rule per document; the last one says that there are more. */
const MAX_FINDINGS_OF_RULE = 1000;

/**
 * Runs the rules on a bundled document and leaves out what its `x-lint-ignore` suppresses. Rules run in
 * the order of the table: the last ones examine which entries were used.
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
      const covering = entries.filter((entry) => entry.problem === null && covers(entry, finding));
      for (const entry of covering) used.add(entry);
      return covering.length > 0 ? [] : [finding];
    }),
  );
}

// A shared part is found wherever it is used; it is reported once.
function distinct(findings: Iterable<RuleFinding>): readonly RuleFinding[] {
  const kept = new Map<string, RuleFinding>();
  for (const found of findings) {
    const key = `${found.pointer}\n${found.message}`;
    if (kept.size >= MAX_FINDINGS_OF_RULE && !kept.has(key)) {
      kept.set('', {
        ...found,
        message: `${found.message}; further findings of this rule are not shown`,
      });
      break;
    }
    if (!kept.has(key)) kept.set(key, found);
  }
  return [...kept.values()];
}
