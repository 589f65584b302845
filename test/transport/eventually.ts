import { expect } from 'vitest';

/** An expectation that comes true in time, also on a machine with much else to do. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<Awaited<T>>> {
  return expect.poll(read as () => Awaited<T>, { timeout: 15_000 });
}
