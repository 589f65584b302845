import { startTimer } from './bounds.ts';
import { type Answers, excerpt, joinCalls, readAnswers, settleCall } from './envelope.ts';
import { TransportError, type TransportReason } from './errors.ts';
import { hasNotifications } from './facts.ts';
import { readText } from './http.ts';
import type { Deliver, QueuedCall } from './queue.ts';
import { type Socket, watchSocket } from './socket.ts';
import type { Call, JsonCodec } from './transport.ts';

export interface SessionOptions {
  /** The address over HTTP. */
  readonly href: string;
  /** The address shown in errors. */
  readonly where: string;
  readonly json: JsonCodec<unknown>;
  /** Maximum size of a message. Only `ws` applies it before the message is complete. */
  readonly maxBytes: number;
  readonly connectTimeoutMs: number;
  readonly heartbeatMs: number;
  /** Whether calls in flight may be retried when the session ends. */
  readonly replay: boolean;
}

/** The lifetime of one socket. */
export interface Session {
  /** False once the socket begins to close. */
  isAlive(): boolean;
  /** Sends calls together. Returns a function that is called for each aborted call. */
  deliver(calls: readonly QueuedCall[]): ReturnType<Deliver>;
  /** Closes the socket and rejects the calls in flight. */
  end(reason: TransportReason, what: string, retryable: boolean): void;
}

/** By id: each call and the calls that it was sent with. */
type InFlight = Record<number, readonly [QueuedCall, group: readonly QueuedCall[]]>;

/** Maximum size of the HTTP response that explains a rejected handshake. */
const MAX_REFUSAL_BYTES = 65_536;

/**
 * Requests an address over HTTP, because WebSocket APIs hide why a handshake was rejected. Returns the
 * JSON-RPC error of a server that rejects the key or the caller (HTTP 401 or 403).
 */
async function readRefusal(
  { href, json }: SessionOptions,
  signal: AbortSignal,
): Promise<Answers | undefined> {
  const response = await fetch(href, { redirect: 'error', signal });
  if (response.status !== 401 && response.status !== 403) return undefined;
  return readAnswers(json.parse((await readText(response, MAX_REFUSAL_BYTES)) ?? 'null'));
}

/** Starts a session on a socket that is about to open. */
export function startSession(socket: Socket, options: SessionOptions): Session {
  const { where, json, maxBytes, connectTimeoutMs, heartbeatMs, replay } = options;
  const asking = new AbortController();
  // Not a Map: V8 retains the former entries of a Map that empties repeatedly.
  let inFlight: InFlight = Object.create(null) as InFlight;
  let heardMs = 0;
  let unsent: (readonly QueuedCall[])[] | undefined = [];
  let cause: unknown;
  let isOver = false;
  let stopWatching = (): void => {};

  const take = (id: unknown): QueuedCall | undefined => {
    if (typeof id !== 'number') return undefined;
    const taken = inFlight[id];
    delete inFlight[id];
    return taken?.[0];
  };
  const takeAll = (): InFlight[number][] => {
    const taken = Object.values(inFlight);
    inFlight = Object.create(null) as InFlight;
    return taken;
  };

  const fail = ({ method }: Call) =>
    new TransportError('not_json_rpc', `${where} sent no JSON-RPC response to ${method}`);
  const end: Session['end'] = (reason, what, retryable) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    stopWatching();
    asking.abort();
    const error = new TransportError(reason, `${where} ${what}`, { retryable, cause });
    for (const [{ settle }] of takeAll()) settle(error);
    socket.close();
  };
  const explainRefusal = async (): Promise<void> => {
    const answers = await readRefusal(options, asking.signal).catch(() => undefined);
    if (answers?.get(null)?.error) {
      for (const [call] of takeAll()) settleCall(call, answers, null, fail);
    }
    end('unreachable', 'did not open a WebSocket: check URL, key and network', true);
  };
  const timer = startTimer(connectTimeoutMs, () =>
    end('unreachable', `did not open a WebSocket within ${connectTimeoutMs} ms`, true),
  );

  const send = (calls: readonly QueuedCall[]): void => {
    // Some may have been aborted while the socket opened.
    const live = calls.filter(({ id }) => id in inFlight);
    if (live.length > 0) socket.send(joinCalls(live));
    for (const { id, call, settle } of live) {
      if (!hasNotifications || !call.notification) continue;
      take(id);
      settle(null, { result: undefined, response: null });
    }
  };

  const endTooLarge = (): void =>
    end('response_too_large', `exceeded maxResponseBytes (${maxBytes})`, false);
  const receive = (data: unknown): void => {
    heardMs = Date.now();
    if ((data as string).length > maxBytes) return endTooLarge();
    let answers;
    try {
      answers = readAnswers(json.parse(data as string));
    } catch {
      // Any of the calls in flight may have lost its response.
      return end('not_json', `sent invalid JSON: ${excerpt(String(data))}`, replay);
    }
    for (const id of answers.keys()) {
      const call = take(id);
      // An unknown id belongs to an aborted call.
      if (call) settleCall(call, answers, null, fail);
    }
    const unnamed = answers.get(null)?.error;
    if (!unnamed) return;
    const [first, ...others] = Object.values(inFlight);
    if (first === undefined) return;
    // An error without an id applies to the only message in flight. With several it is ambiguous.
    cause = unnamed;
    if (others.some(([, group]) => group !== first[1])) return;
    for (const [call] of takeAll()) settleCall(call, answers, null, fail);
  };

  socket.addEventListener('open', () => {
    clearTimeout(timer);
    if (heartbeatMs < Infinity) {
      stopWatching = watchSocket(socket, heartbeatMs, () =>
        end('closed', 'stopped responding', replay),
      );
    }
    const groups = unsent ?? [];
    unsent = undefined;
    for (const group of groups) send(group);
  });
  socket.addEventListener('message', ({ data }) => receive(data));
  socket.addEventListener('error', (event) => {
    if (!('error' in event)) return;
    cause = event.error;
    // After this error, `ws` waits for the server to close the socket.
    if (Object(cause).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') endTooLarge();
  });
  socket.addEventListener('close', ({ code, reason }) => {
    if (unsent === undefined) {
      end('closed', `closed the WebSocket (${`${code} ${reason}`.trim()})`, replay);
    } else if (!isOver) void explainRefusal();
  });

  return {
    isAlive: () => !isOver && socket.readyState < 2,
    deliver: (calls) => {
      const sentMs = Date.now();
      for (const each of calls) inFlight[each.id] = [each, calls];
      if (unsent === undefined) send(calls);
      else unsent.push(calls);
      return ({ id, settle }) => {
        if (!take(id)) return;
        settle(null);
        // The server may be sending an endless message, which most runtimes buffer in memory.
        const isSilent = Date.now() - Math.max(sentMs, heardMs) >= connectTimeoutMs;
        if (isSilent && !Object.keys(inFlight).length) end('closed', 'stopped responding', replay);
      };
    },
    end,
  };
}
