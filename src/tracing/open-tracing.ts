import {
  ProxyTracerProvider,
  trace as api,
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { within } from '../time/within.ts';
import type { StartTrace, AttemptPlace, AttemptTrace, CallStart } from './trace.ts';

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

/**
 * Records a span per call with a child span per upstream attempt, following the semantic conventions
 * for JSON-RPC. Spans contain no keys, params, results or other texts of callers and nodes.
 */
function recordSpans(tracer: Tracer): StartTrace {
  return (start) => {
    const { parent, links } = placeOf(start);
    const span = tracer.startSpan(
      start.method ?? 'unknown',
      { kind: SpanKind.SERVER, attributes: describeCall(start), links },
      parent,
    );
    const within = api.setSpan(ROOT_CONTEXT, span);
    return {
      startAttempt: (at) => startAttempt(tracer, { at, within, network: start.network }),
      end({ outcome, credits, code, isFailure }) {
        if (span.isRecording()) {
          span.setAttribute('specgate.outcome', outcome);
          span.setAttribute('specgate.credits', credits);
          if (code !== undefined) span.setAttribute('rpc.jsonrpc.error_code', code);
          if (outcome !== 'ok') span.setAttribute('error.type', outcome);
          if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
}

interface Attempt {
  readonly at: AttemptPlace;
  readonly within: Context;
  readonly network: string;
}

function startAttempt(tracer: Tracer, { at, within, network }: Attempt): AttemptTrace {
  const { method, upstream, isPartner } = at;
  const attributes = {
    ...describeMethod(method, network),
    'specgate.upstream': upstream,
    'specgate.partner': isPartner,
  };
  const span: Span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, within);
  return {
    traceparent: writeTraceparent(span.spanContext()),
    end({ outcome, code, isFailure }) {
      if (span.isRecording()) {
        span.setAttribute('specgate.outcome', outcome);
        if (code !== null) span.setAttribute('rpc.jsonrpc.error_code', code);
        if (isFailure) {
          span.setAttribute('error.type', outcome);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
      }
      span.end();
    },
  };
}

function placeOf({ origin }: CallStart): { parent: Context; links: { context: SpanContext }[] } {
  const context = origin === undefined ? undefined : readTraceparent(origin.traceparent);
  if (context === undefined) return { parent: ROOT_CONTEXT, links: [] };
  return origin?.relation === 'parent'
    ? { parent: api.setSpanContext(ROOT_CONTEXT, context), links: [] }
    : { parent: ROOT_CONTEXT, links: [{ context }] };
}

/** String ids are not recorded: they may contain anything, a key included. */
const NUMBER = /^-?\d{1,20}$/;

function describeCall({ network, method, requestId, id, keyId }: CallStart): Attributes {
  const written = id.length <= 21 ? id.toString() : '';
  return {
    ...describeMethod(method ?? 'unknown', network),
    ...(NUMBER.test(written) && { 'rpc.jsonrpc.request_id': written }),
    'specgate.request_id': requestId,
    'specgate.key_id': keyId,
  };
}

function describeMethod(method: string, network: string): Attributes {
  return {
    'rpc.system': 'jsonrpc',
    'rpc.method': method,
    'rpc.jsonrpc.version': '2.0',
    'specgate.network': network,
  };
}

/** Version 00, and the prefix that later versions keep. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` header (W3C Trace Context, section 3.2). Returns undefined if invalid. */
export function readTraceparent(text: string): SpanContext | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  const flags = (traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
  return `00-${traceId}-${spanId}-${flags}`;
}
