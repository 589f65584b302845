import type { Method } from './call.ts';
import type { Envelope } from './envelope.ts';

/** When a method was, or will be, deprecated and withdrawn. */
export interface Retirement {
  /** Unix time since when it is deprecated; undefined: it is not. */
  readonly deprecated_ms: number | undefined;
  /** Unix time from which it may be gone; undefined: not known. */
  readonly sunset_ms: number | undefined;
  /** Where its callers read what to do. */
  readonly docs: string | undefined;
}

/** The retirements of the methods that are called; undefined when there are none. */
export function retiring(
  methods: ReadonlyMap<string, Method>,
  envelopes: readonly Envelope[],
): readonly Retirement[] | undefined {
  let found: Set<Retirement> | undefined;
  for (const { method } of envelopes) {
    const retirement = methods.get(method)?.retirement;
    if (retirement !== undefined) found = (found ?? new Set()).add(retirement);
  }
  return found && [...found];
}
