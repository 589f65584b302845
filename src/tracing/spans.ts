import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as api,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { AttemptPlace, AttemptTrace, CallStart, StartTrace } from './trace.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';

/**
 * Records a span for each call, and below it one for each attempt at an upstream, named and described
 * as the semantic conventions for JSON-RPC ask. Nothing of a key, of params or of results is in them,
 * nor any text of a caller or a node.
 */
export function recordSpans(tracer: Tracer): StartTrace {
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
    'rpc.system': 'jsonrpc',
    'rpc.method': method,
    'rpc.jsonrpc.version': '2.0',
    'specgate.network': network,
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

/** Ids that are strings are a caller's own text and may be anything, a key included. */
const NUMBER = /^-?\d{1,20}$/;

function describeCall({
  network,
  method,
  requestId,
  id,
  keyId,
}: CallStart): Record<string, string> {
  const written = id.length <= 21 ? id.toString() : '';
  return {
    'rpc.system': 'jsonrpc',
    'rpc.method': method ?? 'unknown',
    'rpc.jsonrpc.version': '2.0',
    ...(NUMBER.test(written) ? { 'rpc.jsonrpc.request_id': written } : {}),
    'specgate.network': network,
    'specgate.request_id': requestId,
    'specgate.key_id': keyId,
  };
}
