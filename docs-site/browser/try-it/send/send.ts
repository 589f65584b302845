import {
  failureOf,
  MAX_ANSWER_CHARACTERS,
  TIMEOUT_MS,
  tooLarge,
  type Call,
  type Outcome,
} from './outcome.ts';
import { sendWebSocket } from './web-socket.ts';

export type Transport = 'http' | 'websocket';

interface SendOptions extends Omit<Call, 'url'> {
  readonly transport: Transport;
  readonly http: string | null;
  readonly ws: string | null;
}

/** A call of a method that no service has, so that it is not charged. */
const PROBE = '{"jsonrpc":"2.0","id":1,"method":"rpc.probe","params":[]}';

/**
 * Sends a call. If a WebSocket cannot be opened, a probe over HTTP finds the reason, such as an
 * unknown key, since browsers hide the response to the upgrade.
 */
export async function send({ transport, http, ws, ...call }: SendOptions): Promise<Outcome> {
  if (transport === 'http') return sendHttp({ ...call, url: http! });
  const outcome = await sendWebSocket({ ...call, url: ws! });
  if (outcome.kind !== 'failure' || outcome.reason !== 'refused' || http === null) return outcome;
  const probed = await sendHttp({ ...call, body: PROBE, url: http });
  if (probed.kind === 'failure') return probed;
  if (probed.status === 200 || probed.status === 204) {
    return {
      ...outcome,
      fix: 'The network can be reached over HTTP. Call over HTTP, or check whether a proxy blocks WebSocket connections.',
    };
  }
  return {
    ...probed,
    note: 'The WebSocket handshake was rejected, and browsers do not report why. A test call over HTTP returns:',
  };
}

/** Sends a call by POST. Never rejects. */
async function sendHttp({ url, body, signal }: Call): Promise<Outcome> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const start = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: bounded,
    });
    const text = await readText(response);
    if (text === null) return tooLarge;
    return {
      kind: 'answer',
      text,
      status: response.status,
      headers: response.headers,
      latencyMs: performance.now() - start,
      connectMs: null,
      note: null,
    };
  } catch {
    return failureOf(bounded, url);
  }
}

/** Reads a response; returns null when it is too long. */
async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_ANSWER_CHARACTERS) {
      await reader.cancel();
      return null;
    }
  }
}
