import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import type { DescribedService } from '../described/service.ts';
import { createMockBackend, type MockCaller, type MockMethod } from '../mock/mock-backend.ts';
import type { ListenAddress } from '../transport/listen.ts';
import { createLogger } from './logger.ts';
import { anyone, frontErrors, serveDescribed, type DescribedServer } from './serve-described.ts';
import { runUntilSignal } from './until-signal.ts';

export interface MockSettings {
  readonly address: ListenAddress;
  /** The same seed makes the same results. */
  readonly seed: string;
  readonly latency_ms: number;
}

/** Answers from a document until a signal; resolves to the exit code. */
export function runMock(
  service: DescribedService,
  settings: MockSettings,
  onStarted: (server: DescribedServer) => void,
): Promise<number> {
  const logger = createLogger('warn');
  const onFault = (fault: unknown): void => logger.error({ err: fault }, 'a fault of the mock');
  return runUntilSignal(() => startMock(service, settings, onFault), {
    onStarted,
    onFault,
    onStopFailure: onFault,
  });
}

/** Throws StartError when the address cannot be had. */
export function startMock(
  service: DescribedService,
  { address, seed, latency_ms }: MockSettings,
  onFault: (fault: unknown) => void,
): Promise<DescribedServer> {
  const methods = new Map(
    service.methods.map((described): [string, MockMethod] => [
      described.name,
      {
        name: described.name,
        described,
        validateParams: described.validateParams,
        ...(described.takesNames ? { paramNames: described.paramNames } : {}),
      },
    ]),
  );
  const backend = createMockBackend(service, { errors: frontErrors, seed, latency_ms });
  return serveDescribed(service, { methods, backend, toCaller, onFault }, address);
}

/** What a request may ask a mock for, by its headers. */
function toCaller(headers: IncomingHttpHeaders): Caller & MockCaller {
  const wanted = headers['x-mock-error'];
  const latency = headers['x-mock-latency'];
  return {
    ...anyone,
    ...(typeof wanted === 'string' ? { wantsError: wanted } : {}),
    ...(typeof latency === 'string' ? { wantsLatency: latency } : {}),
  };
}
