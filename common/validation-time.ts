import { validateUntil } from './validators-runtime/helpers.js';

/**
 * How long the validations of a message may take: steps have no fixed cost, and all other callers of the
 * process wait meanwhile.
 */
const MAX_MS = 300;

/** Steps from one look at the clock to the next; a step can take tens of milliseconds. */
const STEPS = 4;

/** Returns processor time, because a pause on a busy machine must not count as slow work. */
export function usedMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}

/** Runs validations, which end with TooManyCallsError when they have taken too long together. */
export function limitTime<T>(run: () => T): T {
  const started_ms = performance.now();
  const usedBefore_ms = usedMs();
  let steps = 0;
  const isOver = (): boolean => {
    steps += 1;
    // To read the processor time takes much longer than a step.
    if (steps % STEPS !== 0 || performance.now() - started_ms < MAX_MS) return false;
    return usedMs() - usedBefore_ms >= MAX_MS;
  };
  return validateUntil(isOver, run);
}
