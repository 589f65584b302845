/** A task that runs again and again until stopped; runs never overlap. */
export interface Periodic {
  /** Resolves when the run under way, if any, has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `task` every `interval_ms` from one interval on, counted from the end of the run before.
 * The timer keeps no process alive. `task` must deal with its own failures: a rejection of it goes
 * to `onFailure` and the next run takes place all the same.
 */
export function every(
  interval_ms: number,
  task: () => Promise<void> | void,
  onFailure: (error: unknown) => void,
): Periodic {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const run = async (): Promise<void> => {
    try {
      await task();
    } catch (error) {
      onFailure(error);
    }
    schedule();
  };
  const start = (): void => {
    running = run();
  };
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    if (!stopped) timer = setTimeout(start, interval_ms).unref();
  };
  schedule();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
