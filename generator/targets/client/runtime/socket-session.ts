import { startTimer } from './bounds.ts';
import { TransportError, type TransportReason } from './client-error.ts';
import { excerpt, joinCalls, readAnswers, settleCall } from './envelope.ts';
import { hasNotifications } from './facts.ts';
import { watchSocket } from './heartbeat.ts';
import type { Deliver, QueuedCall } from './queue.ts';
import type { Socket } from './socket.ts';
import type { Call, JsonCodec } from './transport.ts';

export interface SessionOptions {
  /** The address shown in errors. */
  readonly where: string;
  readonly json: JsonCodec<unknown>;
  readonly connectTimeoutMs: number;
  readonly heartbeatMs: number;
  /** Whether calls in flight may be sent again after the session's end. */
  readonly replay: boolean;
}

/** One socket's life: opening, the calls in flight on it, its end. It never comes back. */
export interface Session {
  /** False once the socket has begun to close: the next call needs a new session. */
  isAlive(): boolean;
  /** Sends calls together; what it returns is told of each that is aborted. */
  deliver(calls: readonly QueuedCall[]): ReturnType<Deliver>;
  /** Closes the socket and rejects every call in flight; once. */
  end(reason: TransportReason, what: string, retryable: boolean): void;
}

type Flights = Record<number, readonly [QueuedCall, together: readonly QueuedCall[]]>;

/** Begins a session on a socket that is about to open. */
export function startSession(
  socket: Socket,
  { where, json, connectTimeoutMs, heartbeatMs, replay }: SessionOptions,
): Session {
  /** By id, with those each was sent together with. No Map, for the reason that the queue is no Set. */
  let inFlight: Flights = Object.create(null) as Flights;
  let unsent: (readonly QueuedCall[])[] | undefined = [];
  let cause: unknown;
  let isOver = false;
  let stopWatching = (): void => {};

  /** Takes a call out of those in flight; undefined for an id that none of them has. */
  const take = (id: unknown): QueuedCall | undefined => {
    if (typeof id !== 'number') return undefined;
    const flight = inFlight[id];
    delete inFlight[id];
    return flight?.[0];
  };
  const takeAll = (): Flights[number][] => {
    const flights = Object.values(inFlight);
    inFlight = Object.create(null) as Flights;
    return flights;
  };

  const fail = ({ method }: Call) =>
    new TransportError('not_json_rpc', `${where} gave no answer to ${method} in its JSON`);
  const end: Session['end'] = (reason, what, retryable) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    stopWatching();
    const error = new TransportError(reason, `${where} ${what}`, { retryable, cause });
    for (const [{ settle }] of takeAll()) settle(error);
    socket.close();
  };
  const timer = startTimer(connectTimeoutMs, () =>
    end('unreachable', `took over ${connectTimeoutMs} ms to open a WebSocket`, true),
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

  const receive = (data: unknown): void => {
    let answers;
    try {
      answers = readAnswers(json.parse(data as string));
    } catch {
      // Whose answer it was cannot be told, so none of those in flight can be trusted to come.
      return end('not_json', `sent no JSON: ${excerpt(String(data))}`, replay);
    }
    for (const id of answers.keys()) {
      const call = take(id);
      // An id that is not in flight is the late answer to an aborted call.
      if (call) settleCall(call, answers, null, fail);
    }
    const unnamed = answers.get(null)?.error;
    if (!unnamed) return;
    const [first, ...others] = Object.values(inFlight);
    if (first === undefined) return;
    // An error without an id is that of the one message in flight; of several no one can tell.
    cause = unnamed;
    if (others.some(([, together]) => together !== first[1])) return;
    for (const [call] of takeAll()) settleCall(call, answers, null, fail);
  };

  socket.addEventListener('open', () => {
    clearTimeout(timer);
    if (heartbeatMs < Infinity) {
      stopWatching = watchSocket(socket, heartbeatMs, () => end('closed', 'fell silent', replay));
    }
    const groups = unsent ?? [];
    unsent = undefined;
    for (const group of groups) send(group);
  });
  socket.addEventListener('message', ({ data }) => receive(data));
  socket.addEventListener('error', (event) => {
    if ('error' in event) cause = event.error;
  });
  socket.addEventListener('close', ({ code, reason }) => {
    if (unsent === undefined) {
      end('closed', `closed the WebSocket (${`${code} ${reason}`.trim()})`, replay);
    } else {
      end('unreachable', 'did not open a WebSocket: check address, key and network', true);
    }
  });

  return {
    isAlive: () => !isOver && socket.readyState < 2,
    deliver: (calls) => {
      for (const each of calls) inFlight[each.id] = [each, calls];
      if (unsent === undefined) send(calls);
      else unsent.push(calls);
      return ({ id, settle }) => take(id) && settle(null);
    },
    end,
  };
}
