export type Phase = 'starting' | 'serving' | 'draining';

/** Whether the gateway takes calls, and whether it can answer them. */
export interface Readiness {
  phase: Phase;
  /** Tells, by network, whether some upstream is fit. */
  networks: () => Readonly<Record<string, boolean>>;
}

export interface ReadinessReport {
  readonly isReady: boolean;
  readonly phase: Phase;
  readonly networks: Readonly<Record<string, boolean>>;
}

/** Ready means: serving, and every network has a fit upstream. */
export function reportReadiness({ phase, networks }: Readiness): ReadinessReport {
  const fit = networks();
  const isReady = phase === 'serving' && Object.values(fit).every(Boolean);
  return { isReady, phase, networks: fit };
}
