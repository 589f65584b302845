import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../config/schema.ts';
import type { Protocol } from '../../gateway/protocol.ts';
import type { Operations } from '../../ops/operations.ts';
import { mergeMetrics, mergeReadiness } from '../../ops/worker-reports.ts';
import { backoff } from '../../time/timer.ts';
import { portSettingIn } from '../addresses.ts';
import { limitsFor } from '../config-swap.ts';
import { openOperations } from '../docs-and-ops.ts';
import { startOrClose } from '../lifecycle.ts';
import type { LoadedConfig } from '../load-config.ts';
import type { Logger } from '../logger.ts';
import type { ServedGateway } from '../reload.ts';
import { startWorker, type Report, type Started, type Worker } from './worker.ts';

interface WorkersOptions {
  readonly workers: number;
  readonly file: string;
  readonly protocol: Protocol;
  readonly logger: Logger;
}

/** Serves a configuration with several worker processes; this process serves the operations port. */
export async function serveWithWorkers(
  loaded: LoadedConfig,
  options: WorkersOptions,
): Promise<ServedGateway> {
  const assignPorts = createPortAssigner();
  const withPorts = async ({ config, keyPairs }: LoadedConfig): Promise<LoadedConfig> => ({
    config: await assignPorts(config),
    keyPairs,
  });
  const pool = new WorkerPool(await withPorts(loaded), options);
  return startOrClose(async (closers) => {
    const port = { portSetting: portSettingIn(options.file), closers };
    const ops = await openOperations(loaded.config.ops, pool.operations, port);
    const { networks, docs } = await pool.start();
    // Closed before the operations port, which reports the drain until the last worker has exited.
    closers.add(() => pool.stop());
    return {
      networks,
      docs,
      ops,
      apply: async (next) => pool.apply(await withPorts(next)),
      seed: (next) => pool.seed(next),
      stop: () => closers.closeAll(),
    };
  });
}

/**
 * Returns a function that replaces each port 0 with a free port, which stays the same for a network from
 * one configuration to the next: all workers must listen on the same ports.
 */
function createPortAssigner(): (config: Config) => Promise<Config> {
  const assigned = new Map<string, number>();
  const assign = async <T extends { readonly host: string; readonly port: number }>(
    name: string,
    address: T,
  ): Promise<T> => {
    if (address.port !== 0) return address;
    const port = assigned.get(name) ?? (await findFreePort(address.host));
    assigned.set(name, port);
    return { ...address, port };
  };
  return async (config) => {
    const networks = [];
    for (const network of config.networks) {
      const listen = await assign(`network ${network.name}`, network.listen);
      networks.push({ ...network, listen });
    }
    const { docs } = config;
    return { ...config, networks, ...(docs && { docs: await assign('docs', docs) }) };
  };
}

async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Time for a start or a new configuration, in which each upstream is probed once. */
const START_TIMEOUT_MS = 60_000;
const REPORT_TIMEOUT_MS = 2_000;
/**
 * Time in addition to the drain time: for returning leases to a store that may not respond, and closing it.
 */
const STOP_TIMEOUT_MS = 25_000;

/** Delay before a worker is restarted; doubles with each restart in a row. */
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
/** A worker that ran this long did not exit because of its start, so its next delay is the minimum. */
const STABLE_MS = 10_000;

/** Worker processes that share the same addresses, and are restarted when they exit. */
class WorkerPool {
  readonly #options: WorkersOptions;
  readonly #workers = new Map<number, Worker>();
  readonly #supervising: Promise<void>[] = [];
  readonly #stopping = new AbortController();
  #loaded: LoadedConfig;
  #restarts = 0;
  /** Number of workers that may have lost calls or credits at the stop. */
  #failedStops = 0;

  constructor(loaded: LoadedConfig, options: WorkersOptions) {
    this.#loaded = loaded;
    this.#options = options;
  }

  /** Starts all workers; rejects, with none left running, when one cannot start. */
  async start(): Promise<Started> {
    const { workers: count } = this.#options;
    const workers = Array.from(
      { length: count },
      (_, index) => [index + 1, startWorker()] as const,
    );
    try {
      const started = await Promise.all(
        workers.map(([number, worker]) => this.#serve(number, worker, this.#loaded)),
      );
      this.#supervising.push(...workers.map((entry) => this.#supervise(...entry)));
      return started[0]!;
    } catch (error) {
      for (const [, worker] of workers) worker.kill();
      await Promise.all(workers.map(([, { exited }]) => exited));
      throw error;
    }
  }

  /** Switches all workers to another configuration; rejects and keeps the current one if any fails. */
  async apply(loaded: LoadedConfig): Promise<void> {
    const workers = [...this.#workers.values()];
    const prepared = await Promise.allSettled(
      workers.map((worker) => worker.send('prepare', START_TIMEOUT_MS, loaded)),
    );
    const failed = prepared.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) {
      await Promise.allSettled(workers.map((worker) => worker.send('discard', START_TIMEOUT_MS)));
      throw failed.reason;
    }
    // From here on, restarted workers use the new configuration, including those that fail to activate it.
    this.#loaded = loaded;
    await Promise.allSettled(workers.map((worker) => worker.send('activate', START_TIMEOUT_MS)));
  }

  /** Has one worker write the plans and accounts of a configuration to the store. */
  async seed(loaded: LoadedConfig): Promise<void> {
    const [worker] = this.#workers.values();
    if (worker === undefined) throw new Error('no worker is running');
    await worker.send('seed', START_TIMEOUT_MS, loaded);
  }

  /** Stops all workers; rejects if one did not complete its calls or could not return its leases. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#failedStops = 0;
    await Promise.all([...this.#workers].map(([number, worker]) => this.#end(number, worker)));
    await Promise.all(this.#supervising);
    if (this.#failedStops > 0) {
      const { workers } = this.#options;
      throw new Error(`${this.#failedStops} of ${workers} workers did not stop cleanly`);
    }
  }

  get operations(): Operations {
    const { workers } = this.#options;
    return {
      readiness: async () => {
        const phase = this.#stopping.signal.aborted ? 'draining' : 'serving';
        const reports = await this.#collect(({ readiness }) => readiness);
        return mergeReadiness({ workers, phase, reports });
      },
      metrics: async () => {
        const reports = await this.#collect(({ metrics }) => metrics);
        return mergeMetrics(reports, this.#restarts);
      },
    };
  }

  async #serve(number: number, worker: Worker, loaded: LoadedConfig): Promise<Started> {
    const { file, logger } = this.#options;
    const options = { loaded, file, worker: number };
    const started = await worker.send('start', START_TIMEOUT_MS, options);
    this.#workers.set(number, worker);
    logger.info({ worker: number, pid: worker.pid }, 'worker started');
    return started;
  }

  /** Restarts a worker whenever it exits, until the pool is stopped. */
  async #supervise(number: number, first: Worker): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    const delays = { first_ms: MIN_RESTART_MS, max_ms: MAX_RESTART_MS, random: Math.random };
    let worker = first;
    let since_ms = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      await worker.exited;
      if (this.#workers.get(number) === worker) this.#workers.delete(number);
      if (signal.aborted) return;
      if (performance.now() - since_ms > STABLE_MS) attempt = 0;
      logger.error({ worker: number, pid: worker.pid }, 'worker exited; restarting it');
      await wait(backoff(attempt, delays), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      worker = startWorker();
      since_ms = performance.now();
      this.#restarts += 1;
      await this.#restart(number, worker);
    }
  }

  async #restart(number: number, worker: Worker): Promise<void> {
    const loaded = this.#loaded;
    try {
      await this.#serve(number, worker, loaded);
      // A reload or stop during the start did not reach this worker.
      if (this.#loaded !== loaded || this.#stopping.signal.aborted) {
        await this.#end(number, worker);
      }
    } catch (error) {
      const { message: problem } = error as Error;
      this.#options.logger.error({ worker: number, problem }, 'worker failed to start');
      worker.kill();
    }
  }

  async #end(number: number, worker: Worker): Promise<void> {
    const { protocol, logger } = this.#options;
    const timeout_ms = limitsFor(this.#loaded.config, protocol).drain_ms + STOP_TIMEOUT_MS;
    await worker.send('stop', timeout_ms).catch((error: unknown) => {
      this.#failedStops += 1;
      const { message: problem } = error as Error;
      logger.error({ worker: number, problem }, 'worker failed to stop cleanly');
      worker.kill();
    });
    await worker.exited;
  }

  /**
   * Collects a part of each worker's report, by worker number; leaves out workers that do not reply in
   * time.
   */
  async #collect<T>(partOf: (report: Report) => T): Promise<ReadonlyMap<string, T>> {
    const reports = await Promise.all(
      [...this.#workers].map(async ([number, worker]) => {
        const report = await worker.send('report', REPORT_TIMEOUT_MS).catch(() => undefined);
        return [number, report] as const;
      }),
    );
    const parts = reports
      .toSorted(([a], [b]) => a - b)
      .flatMap(([number, report]) =>
        report === undefined ? [] : [[String(number), partOf(report)] as const],
      );
    return new Map(parts);
  }
}
