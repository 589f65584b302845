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
  /** What keeps it from being ready, in words. */
  readonly causes: readonly string[];
}

/** Ready means: serving, and every network has a fit upstream. */
export function reportReadiness({ phase, networks }: Readiness): ReadinessReport {
  const fit = networks();
  const causes = [
    ...(phase === 'serving' ? [] : [`the gateway is ${phase}`]),
    ...Object.keys(fit)
      .filter((name) => fit[name] !== true)
      .map((name) => `network ${name} has no upstream fit to be asked`),
  ];
  return { isReady: causes.length === 0, phase, networks: fit, causes };
}
