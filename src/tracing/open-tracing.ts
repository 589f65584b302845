import { ProxyTracerProvider, trace as api } from '@opentelemetry/api';
import { within } from '../time/within.ts';
import { recordSpans } from './spans.ts';
import type { StartTrace } from './trace.ts';

export interface Tracing {
  readonly start: StartTrace;
  /** Exports the spans that the SDK has buffered, if it can. Rejects on failure or timeout. */
  flush(): Promise<void>;
}

const NAME = 'specgate';
const FLUSH_MS = 5_000;

/**
 * Traces calls with the OpenTelemetry SDK registered in this process. Returns undefined without an
 * SDK, so that calls do not create spans that the API would discard.
 */
export function openTracing(version: string): Tracing | undefined {
  const registered = api.getTracerProvider();
  const isProxy = registered instanceof ProxyTracerProvider;
  const tracer = isProxy
    ? registered.getDelegateTracer(NAME, version)
    : registered.getTracer(NAME, version);
  if (tracer === undefined) return undefined;
  const provider: object = isProxy ? registered.getDelegate() : registered;
  return {
    start: recordSpans(tracer),
    async flush() {
      if (!canFlush(provider)) return;
      await within(FLUSH_MS, provider.forceFlush());
    },
  };
}

function canFlush(provider: object): provider is { forceFlush(): Promise<void> } {
  return 'forceFlush' in provider && typeof provider.forceFlush === 'function';
}
