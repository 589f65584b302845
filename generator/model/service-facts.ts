import { isObject, type Json } from '../../common/json/value.ts';
import type { Model } from './model.ts';

/** The facts a server needs about the whole service, written to `generated/service.ts`. */
export interface ServiceFacts {
  readonly title: string;
  readonly version: string;
  /** The path segment of the API version: `v` and the major version. */
  readonly majorSegment: string;
  /** `x-plans`; null for limits that are set per account. */
  readonly plans: readonly PlanFacts[];
  /** `x-limits`, by name, the unit last: `requestBytes`. */
  readonly limits: Readonly<Record<string, number>>;
}

export interface PlanFacts {
  readonly name: string;
  readonly creditsPerDay: number | null;
  readonly callsPerSecond: number | null;
  readonly forwarding: boolean;
}

export function serviceFacts({ info, extensions }: Model): ServiceFacts {
  const plans = extensions['x-plans'];
  const limits = extensions['x-limits'];
  return {
    title: info.title,
    version: info.version,
    majorSegment: `v${/^\d+/.exec(info.version)?.[0] ?? '0'}`,
    plans: Array.isArray(plans) ? plans.flatMap(planOf) : [],
    limits: isObject(limits)
      ? Object.fromEntries(
          Object.entries(limits).flatMap(([name, value]): [string, number][] =>
            typeof value === 'number' ? [[name, value]] : [],
          ),
        )
      : {},
  };
}

function planOf(plan: Json): PlanFacts[] {
  if (!isObject(plan) || typeof plan['name'] !== 'string') return [];
  return [
    {
      name: plan['name'],
      creditsPerDay: numberOrNull(plan['creditsPerDay']),
      callsPerSecond: numberOrNull(plan['callsPerSecond']),
      forwarding: plan['forwarding'] === true,
    },
  ];
}

function numberOrNull(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
