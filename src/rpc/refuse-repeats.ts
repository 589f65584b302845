import type { Method } from './call.ts';
import type { Envelope } from './envelope.ts';

/** The requests of a batch; those that repeat a method of which it may have but one are flawed. */
export function refuseRepeats(
  methods: ReadonlyMap<string, Method>,
  envelopes: readonly Envelope[],
): readonly Envelope[] {
  const called = new Set<string>();
  return envelopes.map((envelope) => {
    const { id, method } = envelope;
    if (id === null || methods.get(method)?.isOncePerBatch !== true) return envelope;
    if (!called.has(method)) {
      called.add(method);
      return envelope;
    }
    const flaw = `expected ${method} once in a batch, got it again; use the answer to the first one`;
    return { ...envelope, flaw };
  });
}
