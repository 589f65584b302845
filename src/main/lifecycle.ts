import type { Logger } from './logger.ts';

type Close = () => Promise<void> | void;

/** Closes what was opened, in reverse order. */
export class Closers {
  readonly #closes: Close[] = [];

  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything, even if some fail; rejects with the first failure. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closes.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Settles like `start`; if that fails, closes what it had opened until then. */
export async function startOrClose<T>(start: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await start(closers);
  } catch (error) {
    await closers.closeAll().catch(() => undefined);
    throw error;
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How long a stop may take before the process exits regardless, by default. */
const STOP_TIMEOUT_MS = 30_000;

const exitCodes = { stopped: 0, failed: 1 } as const;

interface RunOptions<T> {
  readonly logger: Logger;
  readonly onStarted: (running: T) => void;
  /** Called when the stop begins, since a reload may change the timeout. */
  readonly stopTimeout_ms?: () => number;
}

/**
 * Starts a service and stops it on SIGTERM, SIGINT or an uncaught exception; a second signal exits at once.
 * Resolves to the exit code: 1 after an uncaught exception or a failed stop, else 0. Rejects when the start
 * fails.
 */
export async function runUntilSignal<T extends { stop(): Promise<void> }>(
  start: () => Promise<T>,
  { logger, onStarted, stopTimeout_ms = () => STOP_TIMEOUT_MS }: RunOptions<T>,
): Promise<number> {
  let exitCode: number = exitCodes.stopped;
  const stopRequested = Promise.withResolvers<void>();
  let isStopping = false;
  const failToStop = (reason: string): void => {
    logger.error({ err: new Error(reason) }, 'failed to stop cleanly');
    process.exit(exitCodes.failed);
  };
  const requestStop = (): void => {
    if (isStopping) return failToStop('interrupted by a second signal');
    isStopping = true;
    const timeout_ms = stopTimeout_ms();
    setTimeout(() => failToStop(`not stopped after ${timeout_ms} ms`), timeout_ms).unref();
    stopRequested.resolve();
  };
  const fail = (error: unknown): void => {
    logger.error({ err: error }, 'uncaught exception');
    exitCode = exitCodes.failed;
    if (!isStopping) requestStop();
  };
  for (const signal of SIGNALS) process.on(signal, requestStop);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    const running = await start();
    if (!isStopping) onStarted(running);
    await stopRequested.promise;
    await running.stop().catch((error: unknown) => {
      logger.error({ err: error }, 'failed to stop cleanly');
      exitCode = exitCodes.failed;
    });
    return exitCode;
  } finally {
    for (const signal of SIGNALS) process.off(signal, requestStop);
    process.off('uncaughtException', fail);
    process.off('unhandledRejection', fail);
  }
}
