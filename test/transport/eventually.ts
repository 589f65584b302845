import { expect } from 'vitest';

/** Repeats an expectation until it is met, for as long as vitest.config.ts allows. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<Awaited<T>>> {
  return expect.poll(read as () => Awaited<T>);
}
