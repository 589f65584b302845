import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import type { DescribedService } from '../described/service.ts';
import { createMockBackend, type MockCaller, type MockMethod } from '../mock/mock-backend.ts';
import type { ListenAddress } from '../transport/listen.ts';
import {
  anyone,
  describedErrors,
  runDescribed,
  serveDescribed,
  type DescribedServer,
} from './described-server.ts';

interface MockSettings {
  readonly address: ListenAddress;
  /** Equal seeds give equal results. */
  readonly seed: string;
  readonly latency_ms: number;
}

/** The discovery method of the OpenRPC specification, which takes no params, whatever a document declares. */
const DISCOVER = 'rpc.discover';

/** Serves a mock of a document until a signal; resolves to the exit code. */
export function runMock(
  service: DescribedService,
  settings: MockSettings,
  onStarted: (server: DescribedServer) => void,
): Promise<number> {
  return runDescribed((onError) => startMock(service, settings, onError), onStarted);
}

/** @throws StartError if the address cannot be listened on */
export function startMock(
  service: DescribedService,
  { address, seed, latency_ms }: MockSettings,
  onError: (error: unknown) => void,
): Promise<DescribedServer> {
  const methods = new Map(
    service.methods.map((described): [string, MockMethod] => [
      described.name,
      {
        name: described.name,
        described,
        ...(described.name === DISCOVER
          ? { validateParams: () => [], isOncePerBatch: true }
          : { validateParams: described.validateParams }),
        ...(described.takesNames ? { paramNames: described.paramNames } : {}),
      },
    ]),
  );
  const backend = createMockBackend(service, { errors: describedErrors, seed, latency_ms });
  return serveDescribed(service, { methods, backend, toCaller, onError }, address);
}

/** Reads the error and the delay that a request asks for in its headers. */
function toCaller(headers: IncomingHttpHeaders): Caller & MockCaller {
  const wanted = headers['x-mock-error'];
  const latency = headers['x-mock-latency'];
  return {
    ...anyone,
    ...(typeof wanted === 'string' ? { wantsError: wanted } : {}),
    ...(typeof latency === 'string' ? { wantsLatency: latency } : {}),
  };
}
