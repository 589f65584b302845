import { serviceFacts, type PlanFacts } from '../../model/service-facts.ts';
import { reportAt, shown, type Change } from '../change.ts';
import { matchByKey, type Both, type Context } from './context.ts';

/** Changes of `x-plans` and `x-limits`. */
export function comparePlans({ old, new: fresh }: Context): readonly Change[] {
  const [was, is] = [serviceFacts(old), serviceFacts(fresh)];
  const { removed, added, kept } = matchByKey(was.plans, is.plans, ({ name }) => name);
  return [
    ...removed.map(({ name }) => reportPlan(name)('plan-removed', 'was removed')),
    ...added.map(({ name }) => reportPlan(name)('plan-added', 'was added')),
    ...kept.flatMap(comparePlan),
    ...compareLimits(new Map(Object.entries(was.limits)), new Map(Object.entries(is.limits))),
  ];
}

function reportPlan(name: string) {
  return reportAt({ subject: `plan ${name}`, old: '/x-plans', new: '/x-plans', methods: [] });
}

const FIGURES = [
  ['creditsPerDay', 'credits', 'credits per day'],
  ['callsPerSecond', 'rate', 'calls per second'],
] as const;

function comparePlan({ old, new: fresh }: Both<PlanFacts>): readonly Change[] {
  const report = reportPlan(fresh.name);
  const changes = FIGURES.filter(([member]) => old[member] !== fresh[member]).map(
    ([member, word, words]) => {
      const [before, after] = [old[member], fresh[member]];
      const kind = `plan-${word}-${isLower(before, after) ? 'lowered' : 'raised'}` as const;
      const what = `allows ${shown(after)} ${words} instead of ${shown(before)}`;
      return report(kind, what, before, after);
    },
  );
  if (old.forwarding === fresh.forwarding) return changes;
  const [kind, what] = fresh.forwarding
    ? (['plan-forwarding-offered', 'now has forwarding'] as const)
    : (['plan-forwarding-withdrawn', 'no longer has forwarding'] as const);
  return [...changes, report(kind, what, old.forwarding, fresh.forwarding)];
}

/**
 * Compares figures. A plan without one (null: it is set per account) and an omitted limit are unlimited.
 */
function isLower(before: number | null | undefined, after: number | null | undefined): boolean {
  return (after ?? Infinity) < (before ?? Infinity);
}

type Limits = ReadonlyMap<string, number>;

function compareLimits(old: Limits, fresh: Limits): readonly Change[] {
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  const place = { old: '/x-limits', new: '/x-limits', methods: [] };
  return names.flatMap((name) => {
    const [before, after] = [old, fresh].map((limits) => limits.get(name));
    if (before === after) return [];
    const kind = isLower(before, after) ? 'limit-lowered' : 'limit-raised';
    const what = `is ${shown(after)} instead of ${shown(before)}`;
    return reportAt({ ...place, subject: `limit ${name}` })(kind, what, before, after);
  });
}
