import type { IncomingMessage } from 'node:http';
import type { TraceOrigin } from '../tracing/trace.ts';

/** The trace a request says it belongs to. */
export function readOrigin(
  { headers: { traceparent } }: IncomingMessage,
  relation: TraceOrigin['relation'],
): TraceOrigin | undefined {
  return typeof traceparent === 'string' ? { traceparent, relation } : undefined;
}
