import type { Severity } from '../../common/diagnostic.ts';
import { splitPointer, valueAt } from '../../common/json/pointer.ts';
import type { JsonObject } from '../../common/json/value.ts';
import type { Place } from '../levels/levels.ts';
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
  /** The methods that use the place, if there are several. */
  readonly methods?: readonly string[];
}

/** Maximum number of findings of a rule per document; the last one says that there are more. */
const MAX_FINDINGS_OF_RULE = 1000;

/**
 * Runs the rules on a bundled document and leaves out what its `x-lint-ignore` suppresses. Rules run in
 * the order of the table: the last ones examine which entries were used. A rule whose options differ from
 * place to place runs once for each set of options.
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
  const names = new Set(context.methods.map(({ name }) => name));
  return active.flatMap(({ rule, levels }) => {
    const variants = [...new Set(levels.all.map(({ options }) => options))];
    const findings = variants.flatMap((options) =>
      distinct(rule.check(context, options), names).flatMap((found): FoundByRule[] => {
        const applied = levels.at(placeOf(found, texts.document));
        if (applied.level === 'off' || applied.options !== options) return [];
        return [{ ...found, fix: found.fix ?? rule.fix, code: rule.id, severity: applied.level }];
      }),
    );
    return findings.filter((finding) => {
      const covering = entries.filter((entry) => entry.problem === null && covers(entry, finding));
      for (const entry of covering) used.add(entry);
      return covering.length === 0;
    });
  });
}

/** Returns the place of a finding; one in a shared component belongs to no method. */
function placeOf({ pointer }: RuleFinding, document: JsonObject): Place {
  const [list, index = ''] = splitPointer(pointer);
  const method = list === 'methods' ? valueAt(document, `/methods/${index}/name`) : undefined;
  return { pointers: [pointer], methods: typeof method === 'string' ? [method] : [] };
}

type Found = RuleFinding & Pick<FoundByRule, 'methods'>;

/** Reports a shared part once, with the methods that use it: it is found in each of them. */
function distinct(findings: Iterable<RuleFinding>, names: ReadonlySet<string>): readonly Found[] {
  const groups = new Map<string, RuleFinding[]>();
  for (const found of findings) {
    const message = found.message.replaceAll(QUOTED, (quoted, name) =>
      names.has(name) ? '""' : quoted,
    );
    const key = `${found.pointer}\n${message}`;
    const group = groups.get(key);
    if (group !== undefined) group.push(found);
    else if (groups.size < MAX_FINDINGS_OF_RULE) groups.set(key, [found]);
    else {
      const more = `${found.message}; further findings of this rule are not shown`;
      groups.set('', [{ ...found, message: more }]);
      break;
    }
  }
  return [...groups.values()].map((group) => {
    const quoted = group.flatMap(({ message }) => [...message.matchAll(QUOTED)]);
    const methods = new Set(quoted.flatMap(([, name]) => (names.has(name!) ? [name!] : [])));
    const [first] = group as [RuleFinding];
    return group.length > 1 && methods.size > 1 ? { ...first, methods: [...methods] } : first;
  });
}

const QUOTED = /"([^"]*)"/g;
