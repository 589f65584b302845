import type { CancelSignal } from '../../time/cancellation.ts';
import { backoff } from '../../time/timer.ts';
import { failure } from '../upstream.ts';
import type { ConnectionGuard, Failure, StreamingOutcome, UpstreamCall } from '../upstream.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { NOT_CONNECTED } from './pending-calls.ts';

export interface SocketUpstreamOptions extends ConnectionOptions {
  readonly random: () => number;
}

export interface ReconnectingOptions extends SocketUpstreamOptions {
  /** A verified connection was lost while calls of these accounts were in flight. */
  readonly onLost: (accounts: ReadonlySet<string>) => void;
  /** The connection takes the bytes of this account more slowly than they come. */
  readonly onCrowded: (account: string) => void;
}

/** A WebSocket connection that is opened again with backoff when it is lost. */
export class ReconnectingClient {
  readonly #options: ReconnectingOptions;
  #connection: Connection | undefined;
  /** The connection once its node was verified. */
  #ready: Connection | undefined;
  #readySince_ms = 0;
  #attempt = 0;
  #cancelReconnect: () => void = () => undefined;
  #isClosed = false;

  constructor(options: ReconnectingOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#connection?.isBusy === true;
  }

  call(call: UpstreamCall, signal: CancelSignal): Promise<StreamingOutcome> {
    return this.#ready?.call(call, signal) ?? Promise.resolve(NOT_CONNECTED);
  }

  /** Resolves after the first attempt to connect. */
  start(guard: ConnectionGuard): Promise<void> {
    return this.#connect(guard);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelReconnect();
    this.#connection?.terminate();
  }

  /** Resolves when the connection is ready or has failed. */
  #connect(guard: ConnectionGuard): Promise<void> {
    return new Promise((resolve) => {
      const onVerified = (failed: Failure | undefined): void =>
        failed === undefined ? resolve() : connection.terminate(failed);
      const connection = new Connection(this.#options, {
        onOpen: () => void this.#verify(connection, guard).then(onVerified),
        onDropped: (detail) => guard.onDropped(detail),
        onCrowded: (account) => this.#options.onCrowded(account),
        onClose: ({ detail }, accounts) => {
          if (this.#ready !== undefined) this.#options.onLost(accounts);
          this.#reconnect(guard, detail);
          resolve();
        },
      });
      this.#connection = connection;
    });
  }

  /** Lets calls use the connection if its node passes; returns why not otherwise. */
  async #verify(connection: Connection, guard: ConnectionGuard): Promise<Failure | undefined> {
    const failed = await guard.verify(connection.call);
    if (failed !== undefined) return failed;
    if (this.#isClosed || !connection.isOpen) return failure('connection', 'closed');
    this.#ready = connection;
    this.#readySince_ms = this.#options.monotonic_ms();
    guard.onReady(true, '');
    return undefined;
  }

  #reconnect(guard: ConnectionGuard, detail: string): void {
    const { limits, random, startTimer, monotonic_ms } = this.#options;
    const lasted_ms = this.#ready === undefined ? 0 : monotonic_ms() - this.#readySince_ms;
    const wasVerified = this.#ready !== undefined;
    const wasStable = wasVerified && lasted_ms >= limits.reconnect_stable_ms;
    this.#ready = undefined;
    if (this.#isClosed) return;
    // A node that serves may close the connection because of one account's calls.
    this.#attempt = wasVerified ? 1 : this.#attempt + 1;
    const { reconnect_first_ms: first_ms, reconnect_max_ms: max_ms } = limits;
    const delay_ms = wasStable ? 0 : backoff(this.#attempt - 1, { first_ms, max_ms, random });
    this.#cancelReconnect = startTimer(delay_ms, () => void this.#connect(guard));
    guard.onReady(false, detail);
  }
}
