import type { Config } from '../config/schema.ts';
import type { Plan } from '../store/records.ts';

/** The document's plans with what the configuration replaces of them, and those it adds. */
export function mergePlans(described: readonly Plan[], configured: Config['plans']): Plan[] {
  const plans = new Map(described.map((plan) => [plan.name, plan]));
  for (const [name, { creditsPerDay, callsPerSecond, forwarding }] of Object.entries(configured)) {
    const base = plans.get(name);
    plans.set(name, {
      name,
      creditsPerDay: creditsPerDay ?? base?.creditsPerDay ?? null,
      callsPerSecond: callsPerSecond ?? base?.callsPerSecond ?? null,
      forwarding: forwarding ?? base?.forwarding ?? false,
    });
  }
  return [...plans.values()];
}
