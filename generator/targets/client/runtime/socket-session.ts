import { onAbort } from './abort.ts';
import { startTimer } from './bounds.ts';
import type { TransportError } from './client-error.ts';
import { decodeMessage, type Envelope } from './envelope.ts';
import { CONNECTING, OPEN, type Socket } from './socket.ts';
import { closedThere, notOpened } from './socket-trouble.ts';
import type { Answer } from './transport.ts';

/** Stands for a binary message, which JSON-RPC has not, and is no JSON. */
const BINARY = '(a binary message)';

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface SessionOptions {
  readonly where: string;
  readonly connectTimeoutMs: number;
}

/** One socket's life: opening, the calls in flight on it, its end. It never comes back. */
export class SocketSession {
  /** Settles once the socket takes messages, or cannot. */
  readonly ready: Promise<void>;
  readonly #socket: Socket;
  readonly #where: string;
  readonly #pending = new Map<number, Pending>();
  /** The error it ended with. */
  #end: TransportError | null = null;
  /** What the socket reported, or the server said without an id: the likely cause of the end. */
  #cause: unknown;

  constructor(socket: Socket, options: SessionOptions) {
    this.#socket = socket;
    this.#where = options.where;
    this.ready = this.#open(options.connectTimeoutMs);
    // The calls that wait see the rejection; where none does it must not count as unhandled.
    this.ready.catch(() => {});
    socket.addEventListener('message', ({ data }) => this.#receive(data));
  }

  /** False once the socket has begun to close: the next call needs a new session. */
  get alive(): boolean {
    const { readyState } = this.#socket;
    return this.#end === null && (readyState === CONNECTING || readyState === OPEN);
  }

  /** Sends a message that has no answer. */
  send(text: string): void {
    if (this.#end !== null) throw this.#end;
    this.#socket.send(text);
  }

  /** Sends a message and waits for the answer that bears its id. */
  exchange(id: number, text: string, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.send(text);
      const forget = onAbort(signal, (reason) => this.#take(id)?.reject(reason));
      this.#pending.set(id, {
        resolve: (answer) => (forget(), resolve(answer)),
        reject: (error) => (forget(), reject(error as Error)),
      });
    });
  }

  /** Ends the session: the socket is closed and every call in flight rejected. */
  end(error: TransportError): void {
    if (this.#end !== null) return;
    this.#end = error;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of calls) call.reject(error);
    this.#socket.close();
  }

  #open(connectTimeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let opened = false;
      const fail = (error: TransportError): void => {
        stop();
        this.end(error);
        // Whoever ended it first knows best why.
        reject(this.#end ?? error);
      };
      const stop = startTimer(connectTimeoutMs, () =>
        fail(notOpened(this.#where, `it took over ${connectTimeoutMs} ms`)),
      );
      this.#socket.addEventListener('open', () => {
        opened = true;
        stop();
        resolve();
      });
      this.#socket.addEventListener('error', (event) => {
        if ('error' in event) this.#cause = event.error;
      });
      this.#socket.addEventListener('close', (event) => {
        const cause = this.#cause;
        fail(opened ? closedThere(this.#where, event, cause) : notOpened(this.#where, null, cause));
      });
    });
  }

  #receive(data: unknown): void {
    if (this.#end !== null) return;
    try {
      const envelope = decodeMessage(typeof data === 'string' ? data : BINARY, this.#where);
      if (envelope !== null) this.#settle(envelope);
    } catch (error) {
      // Whose answer it was cannot be told, so none of those in flight can be trusted to come.
      this.end(error as TransportError);
    }
  }

  #settle({ id, result, error }: Envelope): void {
    if (error === undefined) {
      // An id that is not in flight is the late answer to an aborted call.
      this.#take(id)?.resolve({ result, response: null });
      return;
    }
    const call = this.#take(id) ?? (id === null ? this.#takeOnly() : undefined);
    if (call === undefined) this.#cause = error;
    else call.resolve({ error, response: null });
  }

  /** An error without an id is for the one call in flight; of several, no one can tell. */
  #takeOnly(): Pending | undefined {
    const [only] = this.#pending.keys();
    return this.#pending.size === 1 ? this.#take(only) : undefined;
  }

  #take(id: unknown): Pending | undefined {
    const call = this.#pending.get(id as number);
    this.#pending.delete(id as number);
    return call;
  }
}
