import type { CancelSignal } from '../../time/cancellation.ts';
import { backoff } from '../../time/timer.ts';
import { failure } from '../upstream.ts';
import type { ConnectionGuard, Failure, StreamingOutcome, UpstreamCall } from '../upstream.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { BLOCKED, NOT_CONNECTED } from './pending-calls.ts';

export interface SocketUpstreamOptions extends Omit<ConnectionOptions, 'isShared'> {
  readonly random: () => number;
}

export interface ReconnectingOptions extends SocketUpstreamOptions, ConnectionOptions {
  /** A verified connection was lost while calls of these accounts were in flight. */
  readonly onLost: (accounts: ReadonlySet<string>) => void;
  /** The connection accepts the bytes of this account more slowly than they arrive. */
  readonly onCrowded: (account: string) => void;
  /** Other accounts wait for the responses to this account. */
  readonly onOccupied: (account: string) => void;
  /** Whether to connect now; otherwise `resume` has to be called later. */
  readonly mayConnect: () => boolean;
}

/**
 * Maximum number of occupied connections whose calls have not ended; each lasts at most as long as a call.
 */
const MAX_RETIRED = 16;

/**
 * Minimum time that a connection is used before it is replaced, so that several busy accounts do not cause
 * one replacement each.
 */
const MIN_LIFETIME_MS = 1_000;

/** How often a call leaves a connection that a slow call blocks, before it waits. */
const MAX_MOVES = 8;

/** How often a retired connection is checked for calls. */
const RETIRED_CHECK_MS = 1_000;

/** A WebSocket connection that is opened again with backoff when it is lost. */
export class ReconnectingClient {
  readonly #options: ReconnectingOptions;
  #connection: Connection | undefined;
  /** The connection, once its node has been verified. */
  #ready: Connection | undefined;
  #readySince_ms = 0;
  #isReplacing = false;
  /** The connection that is being replaced. */
  #occupied: Connection | undefined;
  /** The connection that replaces the occupied one once its node has been verified. */
  #replacement: Connection | undefined;
  /** Connections that carry no new calls. */
  readonly #retired = new Set<Connection>();
  #attempt = 0;
  #isRefused = false;
  /** Starts the connection attempt that was postponed; undefined if there is none. */
  #resume: (() => void) | undefined;
  #cancelReconnect: () => void = () => undefined;
  #isClosed = false;

  constructor(options: ReconnectingOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return [this.#connection, ...this.#retired].some((connection) => connection?.isBusy === true);
  }

  /** Whether a verified connection is open. */
  get isReady(): boolean {
    return this.#ready?.isOpen === true;
  }

  /** Whether the last attempt to connect failed. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether it waits for `resume` before it connects. */
  get isWaiting(): boolean {
    return this.#resume !== undefined;
  }

  /** Starts the connection attempt that was postponed, if there is one. */
  resume(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  async call(call: UpstreamCall, signal: CancelSignal): Promise<StreamingOutcome> {
    let outcome = await this.#send(call, signal);
    for (let moves = 1; outcome === BLOCKED; moves += 1) {
      outcome = await this.#send(moves < MAX_MOVES ? call : { ...call, stays: true }, signal);
    }
    return outcome;
  }

  /** Resolves after the first attempt to connect. */
  start(guard: ConnectionGuard): Promise<void> {
    return this.#connect(guard);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#resume = undefined;
    this.#cancelReconnect();
    for (const connection of [this.#connection, this.#replacement, ...this.#retired]) {
      connection?.terminate();
    }
  }

  #send(call: UpstreamCall, signal: CancelSignal): Promise<StreamingOutcome> {
    return this.#ready?.call(call, signal) ?? Promise.resolve(NOT_CONNECTED);
  }

  /** Resolves when the connection is ready or has failed. */
  #connect(guard: ConnectionGuard): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#options.mayConnect()) {
        this.#resume = () => void this.#connect(guard).then(resolve);
        return;
      }
      const onVerified = (failed: Failure | undefined): void =>
        failed === undefined ? resolve() : connection.terminate(failed);
      const connection = this.#open(guard, {
        onOpen: () => void this.#verify(connection, guard).then(onVerified),
        onClose: resolve,
      });
      this.#connection = connection;
    });
  }

  #open(
    guard: ConnectionGuard,
    { onOpen, onClose }: { readonly onOpen: () => void; readonly onClose: () => void },
  ): Connection {
    const connection: Connection = new Connection(this.#options, {
      onOpen,
      onDropped: (detail) => guard.onDropped(detail),
      onCrowded: (account) => this.#options.onCrowded(account),
      onOccupied: (account) => {
        if (account !== undefined) this.#options.onOccupied(account);
        if (connection === this.#ready) this.#replace(connection, guard);
      },
      onStalled: () => void guard.verify(connection.call),
      onClose: ({ detail }, accounts) => {
        if (this.#retired.delete(connection)) return;
        if (connection === this.#replacement) {
          this.#replacement = undefined;
          this.#occupied = undefined;
          this.#isReplacing = false;
          return;
        }
        if (this.#ready !== undefined) this.#options.onLost(accounts);
        this.#reconnect(guard, detail);
        onClose();
      },
    });
    return connection;
  }

  /** Opens another connection for new calls. Calls that wait for large responses keep the occupied one. */
  #replace(occupied: Connection, guard: ConnectionGuard): void {
    const { isShared, startTimer, monotonic_ms } = this.#options;
    if (!isShared || this.#isReplacing || this.#retired.size >= MAX_RETIRED) return;
    this.#isReplacing = true;
    const left_ms = MIN_LIFETIME_MS - (monotonic_ms() - this.#readySince_ms);
    if (left_ms <= 0) this.#openReplacement(occupied, guard);
    else startTimer(left_ms, () => this.#openReplacement(occupied, guard));
  }

  #openReplacement(occupied: Connection, guard: ConnectionGuard): void {
    if (this.#isClosed || occupied !== this.#ready) {
      this.#isReplacing = false;
      return;
    }
    this.#occupied = occupied;
    this.#replacement = this.#openBeside(guard);
  }

  /**
   * Opens the replacement of the occupied connection. A connection keeps its callbacks in memory, so they
   * must not refer to the connection it replaces: otherwise the first of a series of connections would stay
   * in memory as long as the last.
   */
  #openBeside(guard: ConnectionGuard): Connection {
    const replacement = this.#open(guard, {
      onOpen: () =>
        void guard.verify(replacement.call).then((failed) => this.#use(replacement, failed)),
      onClose: () => undefined,
    });
    return replacement;
  }

  /** Uses a replacement, unless it failed or the occupied connection has been lost meanwhile. */
  #use(replacement: Connection, failed: Failure | undefined): void {
    const occupied = this.#occupied;
    this.#occupied = undefined;
    const isUsable = failed === undefined && replacement.isOpen && !this.#isClosed;
    if (isUsable && occupied !== undefined && occupied === this.#ready)
      this.#retire(occupied, replacement);
    else replacement.terminate(failed);
  }

  #retire(occupied: Connection, replacement: Connection): void {
    this.#isReplacing = false;
    this.#replacement = undefined;
    this.#connection = replacement;
    this.#ready = replacement;
    this.#readySince_ms = this.#options.monotonic_ms();
    this.#retired.add(occupied);
    occupied.retire();
    const check = (): void => {
      if (!occupied.isBusy) occupied.terminate();
      else if (this.#retired.has(occupied)) this.#options.startTimer(RETIRED_CHECK_MS, check);
    };
    check();
  }

  /** Lets calls use the connection if its node passes the verification; otherwise returns the failure. */
  async #verify(connection: Connection, guard: ConnectionGuard): Promise<Failure | undefined> {
    const failed = await guard.verify(connection.call);
    if (failed !== undefined) return failed;
    if (this.#isClosed || !connection.isOpen) return failure('connection', 'closed');
    this.#ready = connection;
    this.#isRefused = false;
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
    this.#isRefused = !wasVerified;
    if (this.#isClosed) return;
    // A working node may close the connection because of one account's calls.
    this.#attempt = wasVerified ? 1 : this.#attempt + 1;
    const { reconnect_first_ms: first_ms, reconnect_max_ms: max_ms } = limits;
    const delay_ms = wasStable ? 0 : backoff(this.#attempt - 1, { first_ms, max_ms, random });
    this.#cancelReconnect = startTimer(delay_ms, () => void this.#connect(guard));
    guard.onReady(false, detail);
  }
}
