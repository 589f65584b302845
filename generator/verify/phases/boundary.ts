import { printExact } from '../../../common/json/exact.ts';
import type { Json } from '../../../common/json/value.ts';
import { callProbe } from '../message.ts';
import type { VerifiedMethod } from '../contract.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';
import { baseParams } from '../params.ts';
import { variantsOf } from '../variants.ts';

/** Params to call a method with, and the constraints they are inside or outside of. */
interface Case {
  readonly method: VerifiedMethod;
  readonly params: Json;
  readonly title: string;
  readonly sites: readonly string[];
}

/** Maximum number of variants of a method. */
const MAX_VARIANTS = 5_000;

/**
 * Calls each method just inside and just outside of each constraint of its params. The first round
 * has a call for each side of each constraint; further rounds have other typical mistakes of
 * clients.
 */
export const boundary: Phase = {
  id: 'boundary',
  title: 'params just inside and just outside each constraint',
  async run(session) {
    const cases = session.contract.methods.map((method) => casesOf(session, method));
    for (const { sites } of cases.flat()) for (const site of sites) session.coverage.addSite(site);
    const rounds = cases.map((all) => splitRounds(all));
    const [first, further] = [0, 1].map((round) => interleave(rounds.map((each) => each[round]!)));
    // A call that fails over one transport usually fails over the other too, so a round ends before
    // the next.
    for (const round of [first!, further!]) {
      for (const [index] of session.transports.entries()) {
        for (const each of round) {
          const transport = session.transports[index];
          if (transport !== undefined) await session.check(toProbe(session, each), transport);
        }
      }
    }
  },
};

function toProbe(session: Session, { method, params, title, sites }: Case) {
  const says = { title, covers: sites, id: session.nextId() };
  return callProbe(method, params, says);
}

/** Returns the distinct variants of a method, each with the constraints it exercises. */
function casesOf({ contract, seeds }: Session, method: VerifiedMethod): readonly Case[] {
  const base = baseParams(method, seeds);
  if (base === undefined) return [];
  const cases = new Map<string, { params: Json; title: string; sites: Set<string> }>();
  for (const variant of variantsOf(contract, method, { base, seeds })) {
    const text = printExact(variant.params);
    const known = cases.get(text) ?? { ...variant, sites: new Set() };
    const side = method.refuses(variant.params) === undefined ? 'inside' : 'outside';
    known.sites.add(`${variant.site} ${side}`);
    cases.set(text, known);
    if (cases.size === MAX_VARIANTS) break;
  }
  return [...cases.values()].map((each) => ({ ...each, method, sites: [...each.sites] }));
}

/** Returns the cases that exercise a constraint first, and all others. */
function splitRounds(cases: readonly Case[]): readonly [readonly Case[], readonly Case[]] {
  const seen = new Set<string>();
  const [first, further]: [Case[], Case[]] = [[], []];
  for (const each of cases) {
    const isNew = each.sites.some((site) => !seen.has(site));
    for (const site of each.sites) seen.add(site);
    (isNew ? first : further).push(each);
  }
  return [first, further];
}

/** Returns the elements of lists in turn: the first of each list, then the second of each. */
function interleave<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) =>
    lists.flatMap((list) => (index < list.length ? [list[index]!] : [])),
  ).flat();
}
