export type Phase = 'starting' | 'serving' | 'draining';

/** Whether the gateway takes calls, and whether it can answer them. */
export interface Readiness {
  phase: Phase;
  /** Tells, by network, whether some upstream is fit. */
  networks: () => Readonly<Record<string, boolean>>;
  /** Whether every call is refused for want of the store. */
  isStoreOut: () => boolean;
}

export interface ReadinessReport {
  readonly isReady: boolean;
  readonly phase: Phase;
  readonly networks: Readonly<Record<string, boolean>>;
  /** Whether calls get the credits they need. */
  readonly store: boolean;
  /** What keeps it from being ready, in words. */
  readonly causes: readonly string[];
}

const STORE_OUT = 'the store does not answer, and calls are refused for want of credits';

/** Ready means: serving, every network has a fit upstream, and calls get their credits. */
export function reportReadiness({ phase, networks, isStoreOut }: Readiness): ReadinessReport {
  const fit = networks();
  const store = !isStoreOut();
  const causes = [
    ...(phase === 'serving' ? [] : [`the gateway is ${phase}`]),
    ...Object.keys(fit)
      .filter((name) => fit[name] !== true)
      .map((name) => `network ${name} has no upstream fit to be asked`),
    ...(store ? [] : [STORE_OUT]),
  ];
  return { isReady: causes.length === 0, phase, networks: fit, store, causes };
}

export interface WorkerReports {
  /** How many workers there should be. */
  readonly workers: number;
  readonly phase: Phase;
  /** By the worker's number; those that do not answer are left out. */
  readonly reports: ReadonlyMap<string, ReadinessReport>;
}

/**
 * The readiness of several workers as one. All must be there and have their networks. The store
 * counts only when no worker has credits: one worker's lease may bridge an outage for its callers.
 */
export function mergeReadiness({ workers, phase, reports }: WorkerReports): ReadinessReport {
  const absent = workers - reports.size;
  const store = reports.size === 0 || [...reports.values()].some((report) => report.store);
  const networks: Record<string, boolean> = {};
  const causes: string[] = [];
  if (phase !== 'serving') causes.push(`the gateway is ${phase}`);
  if (absent > 0) causes.push(`${absent} of ${workers} workers are absent`);
  for (const [number, report] of reports) {
    for (const [name, isFit] of Object.entries(report.networks)) {
      networks[name] = isFit && networks[name] !== false;
    }
    const own = report.causes.filter((cause) => cause !== STORE_OUT);
    causes.push(...own.map((cause) => `worker ${number}: ${cause}`));
  }
  if (!store) causes.push(STORE_OUT);
  return { isReady: causes.length === 0, phase, networks, store, causes };
}
