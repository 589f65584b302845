import { createContext, Script } from 'node:vm';

const script = new Script('run()');
const context = createContext({});

/** Returned by `runWithin` when the time limit was exceeded. */
export const TIMED_OUT: unique symbol = Symbol('timed out');

/**
 * Runs `run` with a time limit that also stops the match of a regular expression, which in an
 * untrusted document may take forever.
 */
export function runWithin<T>(milliseconds: number, run: () => T): T | typeof TIMED_OUT {
  context['run'] = run;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return TIMED_OUT;
    throw error;
  } finally {
    context['run'] = undefined;
  }
}
