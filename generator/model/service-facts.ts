import type { JsonObject } from '../../common/json/value.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';
import { numberAt, textAt } from './member.ts';
import type { Model } from './model.ts';

export type PlanFacts = ReturnType<typeof planFacts>;

/** Returns the facts a server needs about the whole service, written to `generated/service.ts`. */
export function serviceFacts({ info, extensions }: Model) {
  const limits = objectAt(extensions, 'x-limits');
  return {
    title: info.title,
    version: info.version,
    /** The path segment of the API version. */
    majorSegment: `v${/^\d+/.exec(info.version)?.[0] ?? '0'}`,
    plans: listAt(extensions, 'x-plans')
      .map(planFacts)
      .filter(({ name }) => name !== ''),
    serviceMethods: listAt(extensions, 'x-service-methods')
      .map(serviceMethodFacts)
      .filter(({ name }) => name !== ''),
    /** By name; the name ends with the unit, as in `requestBytes`. */
    limits: Object.fromEntries(
      Object.entries(limits).filter(([, value]) => typeof value === 'number'),
    ) as Readonly<Record<string, number>>,
  };
}

/** A row of `x-service-methods`; family is null for a method of all networks. */
function serviceMethodFacts(row: JsonObject) {
  return {
    name: textAt(row, 'name'),
    family: textAt(row, 'family') || null,
    source: textAt(row, 'source'),
    summary: textAt(row, 'summary'),
  };
}

/** A row of `x-plans`; null for limits that are set per account. */
function planFacts(plan: JsonObject) {
  return {
    name: textAt(plan, 'name'),
    creditsPerDay: numberAt(plan, 'creditsPerDay'),
    callsPerSecond: numberAt(plan, 'callsPerSecond'),
    forwarding: plan['forwarding'] === true,
  };
}
