import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { errors } from '../../generated/errors.ts';
import { methods } from '../../generated/methods.ts';
import { service } from '../../generated/service.ts';
import { validateParams, validateResult } from '../../generated/validators.js';
import type { Protocol } from '../gateway/protocol.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { openTracing, type Tracing } from '../tracing/open-tracing.ts';
import type { Logger } from './logger.ts';

/** What a gateway depends on besides its configuration. */
export interface GatewayDependencies {
  readonly protocol: Protocol;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Undefined when calls are not traced. */
  readonly tracing?: Tracing | undefined;
  /** Part of every request id; distinguishes the ids of several processes. */
  readonly instance: string;
  /** A key that the documentation site shows and anyone may use. */
  readonly demoKey?: string;
  /** Settles when the documentation site is built; absent if it already is. */
  readonly docsReady?: Promise<unknown>;
  /** Returns where to set the port of `ops`, `docs` or a network, for error messages. */
  readonly portSetting: (listener: string) => string;
  /** A worker process has no operations port: the primary process serves it. */
  readonly isWorker?: boolean;
}

/** The service that this repository's document describes. */
export const protocol: Protocol = {
  methods,
  serviceMethods: service.serviceMethods,
  validateParams,
  validateResult,
  errors,
  plans: service.plans,
  limits: service.limits,
  title: service.title,
  version: service.version,
  // As text: parsing it would round integers beyond 2^53 in its examples.
  document: readFileSync(new URL('../../openrpc.json', import.meta.url), 'utf8'),
};

/**
 * Returns the dependencies of a real process, and sets a flag of V8. Without it, V8 would conclude from
 * the first requests that the objects of a call are long-lived and allocate later ones in the old
 * generation, where they keep everything they refer to until that generation is collected.
 */
export function systemDependencies(
  logger: Logger,
): Pick<GatewayDependencies, 'protocol' | 'clock' | 'logger' | 'instance' | 'tracing'> {
  setFlagsFromString('--no-allocation-site-pretenuring');
  const instance = randomBytes(4).toString('hex');
  return { protocol, logger, clock: systemClock, instance, tracing: openTracing(protocol.version) };
}
