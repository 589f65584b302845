import { ProxyTracerProvider, trace as api } from '@opentelemetry/api';
import { within } from '../time/within.ts';
import { recordSpans } from './spans.ts';
import type { StartTrace } from './trace.ts';

export interface Tracing {
  readonly start: StartTrace;
  /** Has the SDK hand over the spans it holds back, where it can. Rejects when it fails to, in time. */
  flush(): Promise<void>;
}

const NAME = 'specgate';
const FLUSH_MS = 5_000;

/**
 * Follows calls with the OpenTelemetry SDK that is registered in this process. Undefined when there
 * is none: the API's stand-in would make spans that go nowhere, for each call.
 */
export function openTracing(version: string): Tracing | undefined {
  const told = api.getTracerProvider();
  const isProxy = told instanceof ProxyTracerProvider;
  const tracer = isProxy ? told.getDelegateTracer(NAME, version) : told.getTracer(NAME, version);
  if (tracer === undefined) return undefined;
  const provider: object = isProxy ? told.getDelegate() : told;
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
