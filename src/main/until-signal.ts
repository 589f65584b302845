interface Running {
  stop(): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How long a start or a stop may hang before the process is ended regardless, unless told otherwise. */
const STOP_MS = 30_000;

/** What a service that has started ends with; one that could not start rejects instead. */
const EXIT = { stopped: 0, failed: 1 } as const;

export interface UntilSignalOptions<T> {
  readonly onStarted: (running: T) => void;
  readonly onFault: (fault: unknown) => void;
  /** Hears why a stop did not complete. */
  readonly onStopFailure: (failure: unknown) => void;
  /** Asked when it is told to stop. */
  readonly stopLimit_ms?: () => number;
}

/**
 * Runs something until the process is asked to end (SIGTERM, SIGINT, or a fault nobody caught), then
 * stops it. A second signal ends the process at once. Resolves to the exit code, which is 1 after a
 * fault and when the stop failed; rejects when the start does.
 */
export async function runUntilSignal<T extends Running>(
  start: () => Promise<T>,
  { onStarted, onFault, onStopFailure, stopLimit_ms = () => STOP_MS }: UntilSignalOptions<T>,
): Promise<number> {
  let exitCode: number = EXIT.stopped;
  const asked = Promise.withResolvers<void>();
  let isAsked = false;
  const ask = (): void => {
    if (isAsked) process.exit(EXIT.failed);
    isAsked = true;
    setTimeout(() => process.exit(EXIT.failed), stopLimit_ms()).unref();
    asked.resolve();
  };
  const fail = (fault: unknown): void => {
    onFault(fault);
    exitCode = EXIT.failed;
    if (!isAsked) ask();
  };
  for (const signal of SIGNALS) process.on(signal, ask);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    const running = await start();
    if (!isAsked) onStarted(running);
    await asked.promise;
    await running.stop().catch((failure: unknown) => {
      onStopFailure(failure);
      exitCode = EXIT.failed;
    });
    return exitCode;
  } finally {
    for (const signal of SIGNALS) process.off(signal, ask);
    process.off('uncaughtException', fail);
    process.off('unhandledRejection', fail);
  }
}
