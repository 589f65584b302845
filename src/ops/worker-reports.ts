import { STORE_UNAVAILABLE, type Phase, type ReadinessReport } from './operations.ts';

interface WorkerReadiness {
  /** The configured number of workers. */
  readonly workers: number;
  readonly phase: Phase;
  /** By worker number; workers that do not reply are missing. */
  readonly reports: ReadonlyMap<string, ReadinessReport>;
}

/**
 * Merges the readiness of several workers. All of them must reply, with healthy networks. If one gets no
 * credits from the store, another must have some, since its leases may bridge an outage: a worker without
 * calls does not notice that the store is unavailable.
 */
export function mergeReadiness({ workers, phase, reports }: WorkerReadiness): ReadinessReport {
  const missing = workers - reports.size;
  const all = [...reports.values()];
  const hasCredits = all.some((report) => report.store && report.hasCredits);
  const store = hasCredits || all.every((report) => report.store);
  const networks: Record<string, boolean> = {};
  const causes: string[] = [];
  if (phase !== 'serving') causes.push(`the gateway is ${phase}`);
  if (missing > 0) causes.push(`${missing} of ${workers} workers not responding`);
  for (const [number, report] of reports) {
    for (const [name, isHealthy] of Object.entries(report.networks)) {
      networks[name] = isHealthy && networks[name] !== false;
    }
    const own = report.causes.filter((cause) => cause !== STORE_UNAVAILABLE);
    causes.push(...own.map((cause) => `worker ${number}: ${cause}`));
  }
  if (!store) causes.push(STORE_UNAVAILABLE);
  return { isReady: causes.length === 0, phase, networks, store, hasCredits, causes };
}

interface RenderedMetrics {
  readonly text: string;
  readonly contentType: string;
}

/** Merges the metrics of several workers, by worker number, and adds those of the pool. */
export function mergeMetrics(
  workers: ReadonlyMap<string, RenderedMetrics>,
  restarts: number,
): RenderedMetrics {
  const own = [
    '# HELP specgate_workers Worker processes that respond.',
    '# TYPE specgate_workers gauge',
    `specgate_workers ${workers.size}`,
    '# HELP specgate_worker_restarts_total Worker processes restarted after they exited.',
    '# TYPE specgate_worker_restarts_total counter',
    `specgate_worker_restarts_total ${restarts}`,
  ];
  const [first] = workers.values();
  const contentType = first?.contentType ?? 'text/plain; version=0.0.4; charset=utf-8';
  const texts = new Map([...workers].map(([worker, { text }]) => [worker, text]));
  return { text: `${own.join('\n')}\n${mergeMetricTexts(texts)}`, contentType };
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?( .*)$/;

/**
 * Merges texts in the Prometheus format, version 0.0.4. Each sample gets the label `worker`, so that a
 * restarted worker resets only its own counters.
 */
export function mergeMetricTexts(texts: ReadonlyMap<string, string>): string {
  interface Family {
    readonly head: string[];
    readonly samples: string[];
  }
  const families = new Map<string, Family>();
  for (const [worker, text] of texts) {
    let family: Family | undefined;
    for (const line of text.split('\n')) {
      const head = /^# (HELP|TYPE) (\S+)/.exec(line);
      if (head !== null) {
        const [, kind, name] = head;
        family = families.get(name!) ?? { head: [], samples: [] };
        families.set(name!, family);
        if (!family.head.some((known) => known.startsWith(`# ${kind} `))) family.head.push(line);
        continue;
      }
      const sample = SAMPLE.exec(line);
      if (sample === null) continue;
      const [, name, labels = '', value] = sample;
      const all = labels === '' ? '' : `,${labels}`;
      family?.samples.push(`${name}{worker="${worker}"${all}}${value}`);
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return `${lines.join('\n')}\n`;
}
