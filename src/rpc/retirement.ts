import type { Method, Retirement } from './call.ts';
import type { Envelope } from './envelope.ts';

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
