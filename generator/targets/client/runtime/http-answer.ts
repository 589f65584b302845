import { TransportError } from './client-error.ts';
import { decodeAnswer, type Envelope, excerpt } from './envelope.ts';
import type { Answer, Call, ResponseInfo } from './transport.ts';

/** An HTTP response, read. */
export interface Received {
  readonly id: number;
  /** The body; null when it was over `maxAnswerBytes`. */
  readonly text: string | null;
  readonly response: ResponseInfo & { readonly ok: boolean };
  readonly where: string;
  readonly maxAnswerBytes: number;
}

/**
 * Makes the answer of a response. An RPC error is an answer whatever its status; a result must come
 * with a 2xx; a notification is content with any 2xx.
 * @throws TransportError `http_status`, `not_json`, `not_json_rpc` or `answer_too_large`.
 */
export function toAnswer(call: Call, received: Received): Answer {
  const { id, response } = received;
  const info: ResponseInfo = { status: response.status, headers: response.headers };
  const envelope = readEnvelope(call, received);
  if (envelope === null) return { result: undefined, response: info };
  // An error that precedes the reading of the request has the id null (JSON-RPC 2.0, section 5).
  if (envelope.error !== undefined && (envelope.id === id || envelope.id === null)) {
    return { error: envelope.error, response: info };
  }
  if (!response.ok) throw badStatus(received);
  if (call.notification) return { result: undefined, response: info };
  if (envelope.id !== id || envelope.error !== undefined) throw wrongId(received);
  return { result: envelope.result, response: info };
}

/** The envelope in the body; null for a notification's 2xx without one. */
function readEnvelope(call: Call, received: Received): Envelope | null {
  const { text, response, where } = received;
  if (text === null) throw tooLarge(received);
  try {
    return decodeAnswer(text, where, response);
  } catch (error) {
    if (!response.ok) throw badStatus(received, error);
    if (call.notification) return null;
    throw error;
  }
}

function badStatus({ response, text, where }: Received, cause?: unknown): TransportError {
  return new TransportError('http_status', {
    what: `HTTP status ${response.status} without a JSON-RPC answer: ${excerpt(text ?? '')}`,
    where,
    mend: 'check the address, and what stands between here and the server',
    status: response.status,
    cause,
  });
}

function wrongId({ id, response, text, where }: Received): TransportError {
  return new TransportError('not_json_rpc', {
    what: `the answer is not that of request ${id}: ${excerpt(text ?? '')}`,
    where,
    mend: 'check what stands between here and the server: answers are mixed up',
    status: response.status,
  });
}

function tooLarge({ maxAnswerBytes, response, where }: Received): TransportError {
  return new TransportError('answer_too_large', {
    what: `the answer is over ${maxAnswerBytes} bytes`,
    where,
    mend: 'ask for less, or raise maxAnswerBytes',
    status: response.status,
  });
}
