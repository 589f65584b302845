import { printExact } from '../../../common/json/exact.ts';
import type { Json } from '../../../common/json/value.ts';
import { countedSteps } from '../../../common/validators-runtime/helpers.js';
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
 * Maximum number of steps to make and validate the variants of all methods, counted the same on every
 * machine: each variant of a wide schema may take thousands.
 */
const MAX_STEPS = 4_000_000;

/** Characters of params that take about as long as a step of a validation. */
const CHARACTERS_PER_STEP = 8;

/**
 * Calls each method just inside and just outside of each constraint of its params. The first round
 * has a call for each side of each constraint; further rounds have other typical mistakes of
 * clients.
 */
export const boundary: Phase = {
  id: 'boundary',
  title: 'params just inside and just outside each constraint',
  async run(session) {
    const cases = allCasesOf(session);
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

/** Returns the cases of each method. What a method does not use of its share of the steps goes to the next. */
function allCasesOf(session: Session): readonly (readonly Case[])[] {
  const { methods } = session.contract;
  let left = MAX_STEPS;
  return methods.map((method, index) => {
    const { cases, steps } = casesOf(session, method, left / (methods.length - index));
    left = Math.max(0, left - steps);
    return cases;
  });
}

/** Returns the distinct variants of a method, each with the constraints it exercises. */
function casesOf({ contract, seeds }: Session, method: VerifiedMethod, maxSteps: number) {
  const base = baseParams(method, seeds);
  if (base === undefined) return { cases: [], steps: 0 };
  const start = countedSteps();
  let characters = 0;
  const steps = () => countedSteps() - start + characters / CHARACTERS_PER_STEP;
  const found = new Map<
    string,
    { params: Json; title: string; side: string; sites: Set<string> }
  >();
  for (const { params, site, title } of variantsOf(contract, method, { base, seeds })) {
    const text = printExact(params);
    characters += text.length;
    const known = found.get(text) ?? {
      params,
      title,
      side: sideOf(method, params),
      sites: new Set(),
    };
    known.sites.add(`${site} ${known.side}`);
    found.set(text, known);
    if (found.size === MAX_VARIANTS || steps() > maxSteps) break;
  }
  const cases = [...found.values()].map(({ params, title, sites }) => ({
    method,
    params,
    title,
    sites: [...sites],
  }));
  return { cases, steps: steps() };
}

function sideOf(method: VerifiedMethod, params: Json): 'inside' | 'outside' {
  return method.refuses(params) === undefined ? 'inside' : 'outside';
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
