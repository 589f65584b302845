import { createContext, Script } from 'node:vm';

const script = new Script('run()');
const context = createContext({});

/** What `runWithin` gives for what took too long. */
export const TIMED_OUT: unique symbol = Symbol('timed out');

/**
 * Runs `run` and stops it after some time, even within the match of a regular expression: those of a
 * document may take longer than anyone lives.
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
