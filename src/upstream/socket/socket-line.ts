import { WebSocket } from 'ws';
import type { After } from '../after.ts';
import type { Guard } from '../opened.ts';
import type { UpstreamCall, UpstreamOutcome } from '../upstream.ts';
import { failure, type Failure } from '../failure.ts';
import { backoff } from './backoff.ts';
import { MessageGate } from './message-gate.ts';
import { SocketCalls } from './socket-calls.ts';

export interface SocketLineOptions {
  readonly url: URL;
  /** Sent with the opening handshake; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connect_ms: number;
  readonly response_bytes: number;
  /** How much of an answer that is too large is read, to get to those behind it. */
  readonly discarded_bytes: number;
  readonly response_depth: number;
  /** Unsent bytes beyond which no more calls are taken. */
  readonly send_bytes: number;
  /** How often the other end is asked for a sign of life. */
  readonly heartbeat_ms: number;
  readonly redial: {
    readonly first_ms: number;
    readonly most_ms: number;
    readonly stable_ms: number;
  };
  readonly random: () => number;
  readonly monotonic_ms: () => number;
  readonly after: After;
}

/** Room for the envelope around a result of the highest size. */
const ENVELOPE_BYTES = 4_096;

/** One connection after another to the same other end. */
export class SocketLine {
  readonly #options: SocketLineOptions;
  #guard: Guard | undefined;
  #socket: WebSocket | undefined;
  /** Calls may be sent: the other end has proved itself. */
  #calls: SocketCalls | undefined;
  #readySince_ms = 0;
  #attempt = 0;
  #cancelDial: () => void = () => undefined;
  #isClosed = false;

  constructor(options: SocketLineOptions) {
    this.#options = options;
  }

  ask(call: UpstreamCall, signal: AbortSignal): Promise<UpstreamOutcome> {
    return this.#calls === undefined
      ? Promise.resolve(failure('connection', 'not connected'))
      : this.#calls.ask(call, signal);
  }

  start(guard: Guard): Promise<void> {
    this.#guard = guard;
    return this.#dial();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelDial();
    this.#socket?.terminate();
  }

  /** Resolves when the connection serves, or has failed to. */
  #dial(): Promise<void> {
    return new Promise((settle) => {
      const { url, headers, connect_ms, response_depth } = this.#options;
      const message_bytes = this.#options.response_bytes + ENVELOPE_BYTES;
      const socket = new WebSocket(url, {
        headers,
        handshakeTimeout: connect_ms,
        maxPayload: message_bytes,
        perMessageDeflate: false,
        // Text is checked when it is read.
        skipUTF8Validation: true,
      });
      this.#socket = socket;
      let loss: Omit<Failure, 'kind'> | undefined;
      const cut = (cause: Failure['cause'], detail: string): void => {
        loss ??= { cause, detail };
        socket.terminate();
      };
      const calls = new SocketCalls(socket, {
        response_depth,
        send_bytes: this.#options.send_bytes,
        onConfusion: (detail) => cut('malformed', detail),
      });
      const gate = new MessageGate({
        message_bytes,
        discarded_bytes: this.#options.discarded_bytes,
        response_depth,
        onOversized: () => calls.suspect(),
        onId: (id) => calls.refuse(id),
        onUnknown: () => cut('malformed', 'an answer that is too large has no id'),
        onEndless(isKnown) {
          if (!isKnown) calls.refuseSuspects();
          cut('connection', 'an answer is too large to be read to its end');
        },
      });
      const onAdmission = (trouble: Failure | undefined): void => {
        if (trouble === undefined) return settle();
        loss ??= trouble;
        return socket.terminate();
      };
      let stopBeating = (): void => undefined;
      socket.on('open', () => {
        stopBeating = this.#beat(socket);
        void this.#admit(calls).then(onAdmission);
      });
      socket.on('upgrade', (response) => gate.guard(response.socket));
      socket.on('message', (data) => {
        if (!gate.isNextTruncated()) calls.receive(data as Buffer);
      });
      socket.on('error', (error) => {
        loss ??= { cause: 'connection', detail: wordsFor(error) };
      });
      socket.on('close', (code) => {
        stopBeating();
        const { cause, detail } = loss ?? failure('connection', `closed with ${code}`);
        this.#lose(detail);
        calls.lose(cause, detail);
        settle();
      });
    });
  }

  /** Lets calls onto a connection whose other end proves itself; or tells what is wrong with it. */
  async #admit(calls: SocketCalls): Promise<Failure | undefined> {
    const guard = this.#guard!;
    const trouble = await guard.prove((call, signal) => calls.ask(call, signal));
    if (trouble !== undefined) return trouble;
    if (this.#isClosed || !calls.isOpen) return failure('connection', 'closed');
    this.#calls = calls;
    this.#readySince_ms = this.#options.monotonic_ms();
    guard.onReady(true, '');
    return undefined;
  }

  #lose(detail: string): void {
    const { redial, random, after, monotonic_ms } = this.#options;
    const wasReady = this.#calls !== undefined;
    this.#calls = undefined;
    if (this.#isClosed) return;
    const wasStable = wasReady && monotonic_ms() - this.#readySince_ms >= redial.stable_ms;
    this.#attempt = wasStable ? 0 : this.#attempt + 1;
    const delay_ms = wasStable ? 0 : backoff(this.#attempt - 1, { ...redial, random });
    this.#cancelDial = after(delay_ms, () => void this.#dial());
    this.#guard?.onReady(false, detail);
  }

  /** Cuts a connection whose other end gives no sign of life between two heartbeats. */
  #beat(socket: WebSocket): () => void {
    let isAlive = true;
    let cancel = (): void => undefined;
    const live = (): void => {
      isAlive = true;
    };
    socket.on('pong', live);
    socket.on('message', live);
    const beat = (): void => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      cancel = this.#options.after(this.#options.heartbeat_ms, beat);
      return undefined;
    };
    cancel = this.#options.after(this.#options.heartbeat_ms, beat);
    return () => cancel();
  }
}

function codeOf(error: Error): string | undefined {
  return 'code' in error ? String(error.code) : undefined;
}

/** Messages of errors may tell the URL, which may hold a secret; codes and statuses do not. */
function wordsFor(error: Error): string {
  const [, status] = /server response: (\d{3})$/.exec(error.message) ?? [];
  return codeOf(error) ?? (status === undefined ? 'the connection broke' : `HTTP status ${status}`);
}
