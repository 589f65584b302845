/** A task that runs repeatedly until stopped; runs never overlap. */
export interface Periodic {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `task` one interval after the end of each run, and for the first time after one interval. The
 * timer does not keep the process alive. A rejection is passed to `onFailure`; the next run follows.
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
