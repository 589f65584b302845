import { setTimeout as wait } from 'node:timers/promises';
import { mergeReadiness, type ReadinessReport } from '../../ops/readiness.ts';
import type { Operations } from '../../ops/operations.ts';
import { backoff } from '../../time/timer.ts';
import type { LoadedConfig } from '../load-config.ts';
import type { Logger } from '../logger.ts';
import { mergeMetrics } from './merge-metrics.ts';
import type { Report, Started } from './messages.ts';
import { startWorker, type Worker } from './worker.ts';

export interface CrewOptions {
  readonly workers: number;
  readonly file: string;
  readonly logger: Logger;
  /** How long calls under way have at a stop, by a configuration. */
  readonly drainOf_ms: (loaded: LoadedConfig) => number;
  readonly random: () => number;
}

/** Time a worker has to start, or to make another configuration ready: upstreams are asked once. */
const START_MS = 60_000;
const REPORT_MS = 2_000;
/** Beyond the time to drain: returning leases to a store that may not answer, and closing it. */
const STOP_MS = 25_000;

/** After how long an ended worker is started again; doubles each time in a row. */
const RESTART_FIRST_MS = 100;
const RESTART_MOST_MS = 10_000;
/** A worker that served this long has not ended because of how it was started. */
const STABLE_MS = 10_000;

/** Worker processes that serve the same addresses; one that ends is started again. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #workers = new Map<number, Worker>();
  readonly #keeping: Promise<void>[] = [];
  readonly #stopping = new AbortController();
  #loaded: LoadedConfig;
  #restarts = 0;
  /** Workers that did not stop cleanly, so that calls or credits may be lost. */
  #failedStops = 0;

  constructor(loaded: LoadedConfig, options: CrewOptions) {
    this.#loaded = loaded;
    this.#options = options;
  }

  /** Rejects when a worker cannot start, with none left. */
  async start(): Promise<Started> {
    const { workers } = this.#options;
    const numbers = Array.from({ length: workers }, (_, index) => index + 1);
    const crew = numbers.map((number) => [number, startWorker()] as const);
    try {
      const started = await Promise.all(
        crew.map(([number, worker]) => this.#serve(number, worker, this.#loaded)),
      );
      for (const [number, worker] of crew) this.#keeping.push(this.#keep(number, worker));
      return started[0]!;
    } catch (error) {
      for (const [, worker] of crew) worker.kill();
      await Promise.all(crew.map(([, { ended }]) => ended));
      throw error;
    }
  }

  /** Has all workers serve another configuration, or rejects and leaves all as they were. */
  async apply(loaded: LoadedConfig): Promise<void> {
    const crew = [...this.#workers.values()];
    const prepared = await Promise.allSettled(
      crew.map((worker) => worker.ask({ kind: 'prepare', loaded }, START_MS)),
    );
    const failed = prepared.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) {
      await Promise.allSettled(crew.map((worker) => worker.ask({ kind: 'discard' }, START_MS)));
      throw failed.reason;
    }
    // From here on a worker that starts anew serves it too; one that ends meanwhile is such a one.
    this.#loaded = loaded;
    await Promise.allSettled(crew.map((worker) => worker.ask({ kind: 'take' }, START_MS)));
  }

  /** Has one worker bring the store to the plans and accounts of a configuration. */
  async seed(loaded: LoadedConfig): Promise<void> {
    const [worker] = this.#workers.values();
    if (worker === undefined) throw new Error('there is no worker to do it');
    await worker.ask({ kind: 'seed', loaded }, START_MS);
  }

  /**
   * Ends all workers, once what they took is answered. Rejects, with all of them ended, when one did
   * not answer what it took or could not return its leases.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#failedStops = 0;
    await Promise.all([...this.#workers].map(([number, worker]) => this.#end(number, worker)));
    await Promise.all(this.#keeping);
    if (this.#failedStops > 0) {
      throw new Error(
        `${this.#failedStops} of ${this.#options.workers} workers did not stop cleanly`,
      );
    }
  }

  get operations(): Operations {
    return {
      readiness: async () => this.#readiness(await this.#reports()),
      metrics: async () => this.#metrics(await this.#reports()),
    };
  }

  async #serve(number: number, worker: Worker, loaded: LoadedConfig): Promise<Started> {
    const { file, logger } = this.#options;
    const started = await worker.ask({ kind: 'start', loaded, file, worker: number }, START_MS);
    this.#workers.set(number, worker);
    logger.info({ worker: number, pid: worker.pid }, 'a worker serves');
    return started;
  }

  /** Starts a worker again whenever it has ended, until the crew is stopped. */
  async #keep(number: number, first: Worker): Promise<void> {
    const { logger, random } = this.#options;
    const { signal } = this.#stopping;
    let worker = first;
    let since_ms = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      await worker.ended;
      if (this.#workers.get(number) === worker) this.#workers.delete(number);
      if (signal.aborted) return;
      if (performance.now() - since_ms > STABLE_MS) attempt = 0;
      logger.error({ worker: number, pid: worker.pid }, 'a worker ended; it is started again');
      const delay_ms = backoff(attempt, {
        first_ms: RESTART_FIRST_MS,
        max_ms: RESTART_MOST_MS,
        random,
      });
      await wait(delay_ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      worker = startWorker();
      since_ms = performance.now();
      this.#restarts += 1;
      await this.#revive(number, worker);
    }
  }

  async #revive(number: number, worker: Worker): Promise<void> {
    const { logger } = this.#options;
    const loaded = this.#loaded;
    try {
      await this.#serve(number, worker, loaded);
      // Reloaded meanwhile, or stopped: this one was not told.
      if (this.#loaded !== loaded || this.#stopping.signal.aborted) {
        await this.#end(number, worker);
      }
    } catch (error) {
      logger.error({ worker: number, problem: (error as Error).message }, 'a worker cannot start');
      worker.kill();
    }
  }

  async #end(number: number, worker: Worker): Promise<void> {
    const { drainOf_ms, logger } = this.#options;
    const limit_ms = drainOf_ms(this.#loaded) + STOP_MS;
    await worker.ask({ kind: 'stop' }, limit_ms).catch((error: unknown) => {
      this.#failedStops += 1;
      const problem = (error as Error).message;
      logger.error({ worker: number, problem }, 'a worker did not stop cleanly');
      worker.kill();
    });
    await worker.ended;
  }

  /** What each worker says of itself; one that does not answer in time is left out. */
  async #reports(): Promise<ReadonlyMap<string, Report>> {
    const reports = new Map<string, Report>();
    await Promise.all(
      [...this.#workers].map(async ([number, worker]) => {
        const report = await worker.ask({ kind: 'report' }, REPORT_MS).catch(() => undefined);
        if (report !== undefined) reports.set(String(number), report);
      }),
    );
    return new Map([...reports].toSorted(([a], [b]) => Number(a) - Number(b)));
  }

  #readiness(reports: ReadonlyMap<string, Report>): ReadinessReport {
    return mergeReadiness({
      workers: this.#options.workers,
      phase: this.#stopping.signal.aborted ? 'draining' : 'serving',
      reports: new Map([...reports].map(([number, { readiness }]) => [number, readiness])),
    });
  }

  #metrics(reports: ReadonlyMap<string, Report>): { text: string; contentType: string } {
    const texts = new Map([...reports].map(([number, { metrics }]) => [number, metrics.text]));
    const own = [
      '# HELP specgate_workers Worker processes that answer.',
      '# TYPE specgate_workers gauge',
      `specgate_workers ${reports.size}`,
      '# HELP specgate_worker_restarts_total Worker processes started again after they ended.',
      '# TYPE specgate_worker_restarts_total counter',
      `specgate_worker_restarts_total ${this.#restarts}`,
    ];
    const [first] = reports.values();
    const contentType = first?.metrics.contentType ?? 'text/plain; version=0.0.4; charset=utf-8';
    return { text: `${own.join('\n')}\n${mergeMetrics(texts)}`, contentType };
  }
}
