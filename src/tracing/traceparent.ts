import { isSpanContextValid, TraceFlags, type SpanContext } from '@opentelemetry/api';

/** Version 00, and what later ones promise to begin with. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` header (W3C Trace Context, section 3.2); undefined when it is none. */
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
