import { defaultLimits, type Limits } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';

/** Defaults, then what the document says, then what the operator set. */
export function limitsFor(config: Config, { limits }: Pick<Protocol, 'limits'>): Limits {
  const set = Object.entries(config.limits).filter(([, value]) => value !== undefined);
  const described = { request_bytes: limits.requestBytes, batch_calls: limits.batchCalls };
  const chosen = Object.fromEntries(set) as Partial<Limits>;
  return Object.freeze({ ...defaultLimits, ...described, ...chosen });
}
