import { scanText, type JsonText } from '../json/ranges.ts';
import { JsonSyntaxError } from '../json/scanner.ts';
import { envelopeOf, readEnvelope, type Envelope } from './envelope.ts';

/** What one HTTP body or WebSocket message asks for. */
export type Message =
  | { readonly kind: 'single' | 'batch'; readonly envelopes: readonly Envelope[] }
  | {
      readonly kind: 'unreadable';
      readonly reason: 'parse_error' | 'invalid_request' | 'batch_too_large';
      readonly detail: string;
    };

export interface MessageLimits {
  readonly request_depth: number;
  readonly batch_calls: number;
}

/** Reads a message's bytes; never throws. */
export function readMessage(bytes: Buffer, limits: MessageLimits): Message {
  let text: JsonText;
  try {
    text = scanText(bytes, limits.request_depth);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'unreadable', reason: 'parse_error', detail: error.message };
  }
  if (text.kind === 'object') {
    return { kind: 'single', envelopes: [envelopeOf(bytes, text.members)] };
  }
  if (text.kind === 'scalar') return unreadable('a request is an object');
  if (text.elements.length === 0) return unreadable('a batch holds at least one request');
  if (text.elements.length > limits.batch_calls) {
    return { kind: 'unreadable', reason: 'batch_too_large', detail: '' };
  }
  return {
    kind: 'batch',
    envelopes: text.elements.map(({ start }) => readEnvelope(bytes, start)),
  };
}

/** How many calls a message counts for against limits. */
export function countCalls(message: Message): number {
  return message.kind === 'unreadable' ? 1 : message.envelopes.length;
}

function unreadable(detail: string): Message {
  return { kind: 'unreadable', reason: 'invalid_request', detail };
}
