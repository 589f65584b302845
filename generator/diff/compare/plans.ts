import { serviceFacts, type PlanFacts } from '../../model/service-facts.ts';
import { shown, type Change } from '../change.ts';
import type { Context } from './context.ts';

/** Changes of `x-plans` and `x-limits`. */
export function comparePlans({ old, new: fresh }: Context): readonly Change[] {
  const [was, is] = [serviceFacts(old), serviceFacts(fresh)];
  const byName = (plans: readonly PlanFacts[]) => new Map(plans.map((plan) => [plan.name, plan]));
  const [before, after] = [byName(was.plans), byName(is.plans)];
  return [
    ...was.plans
      .filter(({ name }) => !after.has(name))
      .map(({ name }) => ofPlan(name, { kind: 'plan-removed', what: 'is gone' })),
    ...is.plans
      .filter(({ name }) => !before.has(name))
      .map(({ name }) => ofPlan(name, { kind: 'plan-added', what: 'was added' })),
    ...was.plans.flatMap((plan) => {
      const other = after.get(plan.name);
      return other === undefined ? [] : comparePlan(plan, other);
    }),
    ...compareLimits(was.limits, is.limits),
  ];
}

function ofPlan(name: string, says: Pick<Change, 'kind' | 'what' | 'before' | 'after'>): Change {
  return { subject: `plan ${name}`, old: '/x-plans', new: '/x-plans', methods: [], ...says };
}

function comparePlan(old: PlanFacts, fresh: PlanFacts): readonly Change[] {
  const changes: Change[] = [];
  for (const [member, word, words] of [
    ['creditsPerDay', 'credits', 'credits a day'],
    ['callsPerSecond', 'rate', 'calls a second'],
  ] as const) {
    // null: each account has a figure of its own.
    const [before, after] = [old[member], fresh[member]];
    if (before === after) continue;
    const isLower = (after ?? Infinity) < (before ?? Infinity);
    const kind = `plan-${word}-${isLower ? 'lowered' : 'raised'}`;
    const what = `allows ${shown(after)} ${words} instead of ${shown(before)}`;
    changes.push(ofPlan(fresh.name, { kind, what, before, after }));
  }
  if (old.forwarding !== fresh.forwarding) {
    const kind = fresh.forwarding ? 'plan-forwarding-offered' : 'plan-forwarding-withdrawn';
    const what = fresh.forwarding ? 'has forwarding now' : 'has no forwarding any more';
    const values = { before: old.forwarding, after: fresh.forwarding };
    changes.push(ofPlan(fresh.name, { kind, what, ...values }));
  }
  return changes;
}

type Limits = Readonly<Record<string, number>>;

function compareLimits(old: Limits, fresh: Limits): readonly Change[] {
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...names].flatMap((name): Change[] => {
    const [before, after] = [old[name], fresh[name]];
    if (before === after) return [];
    const isLower = (after ?? Infinity) < (before ?? Infinity);
    return [
      {
        kind: isLower ? 'limit-lowered' : 'limit-raised',
        subject: `limit ${name}`,
        what: `is ${shown(after)} instead of ${shown(before)}`,
        old: '/x-limits',
        new: '/x-limits',
        before,
        after,
        methods: [],
      },
    ];
  });
}
