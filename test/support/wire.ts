/** Raw JSON-RPC over both transports, as bytes: no client library between the test and the wire. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface WireAnswer {
  /** HTTP status; undefined over WebSocket. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** The answer's text; undefined where there is none. */
  readonly text: string | undefined;
  readonly json: unknown;
}

export interface Wire {
  readonly name: 'http' | 'websocket';
  /** Sends one message; `text` of the answer is undefined when there is none. */
  send(body: string | Uint8Array): Promise<WireAnswer>;
  close(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 60_000;

function answer(
  status: number | undefined,
  headers: Headers,
  text: string | undefined,
): WireAnswer {
  return {
    status,
    headers,
    text,
    json: text === undefined ? undefined : (JSON.parse(text) as unknown),
  };
}

export async function post(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body as string,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await response.text();
  return answer(response.status, response.headers, text === '' ? undefined : text);
}

export function httpWire(url: string): Wire {
  return { name: 'http', send: (body) => post(url, body), close: async () => {} };
}

// A message that is not answered is followed by a marked call: what comes before the answer to that
// call is the answer to the message, so that no test waits for a fixed time.
const MARK = '"after-the-message"';
const MARK_CALL = `{"jsonrpc":"2.0","id":${MARK},"method":"no_such_method"}`;

export async function webSocketWire(url: string): Promise<Wire> {
  const socket = new WebSocket(url);
  await once(socket, 'open', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  async function send(body: string | Uint8Array): Promise<WireAnswer> {
    const mark = Promise.withResolvers<void>();
    const texts: string[] = [];
    const first = Promise.withResolvers<void>();
    const listen = (data: Buffer): void => {
      const text = data.toString('utf8');
      if (text.includes(MARK)) mark.resolve();
      else {
        texts.push(text);
        first.resolve();
      }
    };
    socket.on('message', listen);
    try {
      socket.send(body, { binary: false });
      const expired = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      const timeout = once(expired, 'abort').then(() => {
        throw new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`);
      });
      const silent = (async () => {
        if (!isNotification(body)) return first.promise;
        socket.send(MARK_CALL);
        return mark.promise;
      })();
      await Promise.race([silent, timeout]);
      return answer(undefined, new Headers(), texts[0]);
    } finally {
      socket.off('message', listen);
    }
  }
  return {
    name: 'websocket',
    send,
    close: async () => {
      socket.close();
      await once(socket, 'close', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    },
  };
}

/** Whether a message consists of notifications only. */
function isNotification(body: string | Uint8Array): boolean {
  let message: unknown;
  try {
    message = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return false;
  }
  const requests = Array.isArray(message) ? message : [message];
  return (
    requests.length > 0 &&
    requests.every(
      (request) =>
        typeof request === 'object' &&
        request !== null &&
        typeof (request as { method?: unknown }).method === 'string' &&
        !('id' in request),
    )
  );
}

export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One call as a client would make it. */
export async function call(
  wire: Wire,
  method: string,
  params: unknown,
  id: unknown = 1,
): Promise<RpcAnswer> {
  const { json } = await wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return json as RpcAnswer;
}
