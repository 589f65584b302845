import type { Protocol } from '../gateway/protocol.ts';
import type { Clock } from '../time/clock.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import type { Logger } from './logger.ts';

/** What a gateway is given, rather than takes. */
export interface GatewayDependencies {
  readonly protocol: Protocol;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Absent when nobody follows calls. */
  readonly tracing?: Tracing | undefined;
  /** Tells this instance's request ids from those of others. */
  readonly instance: string;
  /** Shown on the documentation page, where anyone may use it. */
  readonly demoKey?: string;
  /** The documentation is not read before; absent when it is there already. */
  readonly docsReady?: Promise<unknown>;
  /** How to set the port of `ops`, `docs` or a network, for when it cannot be had. */
  readonly portSetting: (listener: string) => string;
  /** Whether health, readiness and metrics are asked for elsewhere. */
  readonly isOperatedElsewhere?: boolean;
}
