import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Work } from '../../time/message-turns.ts';
import type { StartTimer } from '../../time/timer.ts';
import type { HeldBytes, HeldResponse } from '../held-bytes.ts';
import type { UpstreamLimits } from '../limits.ts';
import { failure, type Failure, type StreamingUpstream } from '../upstream.ts';
import { describeError } from './describe-error.ts';
import { HeadOfLine } from './head-of-line.ts';
import { startHeartbeat } from './heartbeat.ts';
import { LEADING_BYTES, MessageGate } from './message-gate.ts';
import { MessageReading } from './message-reading.ts';
import { openSocket } from './open-socket.ts';
import { PendingCalls } from './pending-calls.ts';
import { ReadingQueue } from './reading-queue.ts';

export interface ConnectionOptions {
  readonly url: URL;
  /** Sent with the opening handshake; may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: UpstreamLimits;
  /** The incomplete messages of all connections of the node. */
  readonly held: HeldBytes;
  /** Whether the calls of all accounts use the connection. */
  readonly isShared: boolean;
  /** How long the node is taken to work on a call that has ended without a response. */
  readonly late_ms: number;
  readonly startTimer: StartTimer;
  readonly monotonic_ms: () => number;
}

export interface ConnectionEvents {
  onOpen(): void;
  /** Called at most once, when a message that answers no call was dropped. */
  onDropped(detail: string): void;
  /** The network accepts the bytes of this account more slowly than they arrive. */
  onCrowded(account: string): void;
  /** Other accounts wait for large or slow responses to this account; undefined if it is not known yet. */
  onOccupied(account: string | undefined): void;
  /** No call is answered; sends one that a node answers at once. */
  onStalled(): void;
  /** Called once, before the calls in flight fail, with the accounts of these calls. */
  onClose(failed: Failure, accounts: ReadonlySet<string>): void;
}

/** Space for the members around a result of the maximum size. */
const ENVELOPE_BYTES = 4_096;

/** Size above which other calls should not wait for a message: a slow link needs half a second for it. */
const LARGE_MESSAGE_BYTES = 4 * 1024 * 1024;

const USELESS_MESSAGES = failure('interrupted', 'the node sends only messages that match no call');
const TOO_LARGE_TO_SKIP = failure('interrupted', 'the response is too large to skip');
const TOO_MANY_CONTROL_FRAMES = failure('interrupted', 'the node sends too many pings or pongs');
const INVALID_FRAME = failure('connection', 'the node sent an invalid WebSocket frame');
const TOO_MANY_BYTES = failure('interrupted', 'too many buffered response bytes');
const NO_HANDSHAKE = failure('connection', 'no complete handshake in time');
const TOO_MANY_INFORMATIONAL = failure('connection', 'too many informational responses');
const NO_HEARTBEAT = failure('connection', 'no reply to a ping, or no more of a message');

/** One WebSocket connection to a node. */
export class Connection implements HeldResponse {
  readonly call: StreamingUpstream;
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  /** The stream of the WebSocket; undefined before it is open. */
  #stream: Socket | undefined;
  readonly #calls: PendingCalls;
  readonly #line: HeadOfLine;
  readonly #reading: ReadingQueue;
  readonly #gate: MessageGate;
  readonly #onOccupied: ConnectionEvents['onOccupied'];
  /** Accounts that occupy the connection. */
  readonly #occupants = new Set<string>();
  #isRetired = false;
  /** Whether it is being closed because its messages match no call; one read may bring thousands of them. */
  #isUseless = false;
  /** Whether a large response is arriving and it is not known yet which call it answers. */
  #isUnknown = false;
  /** The oldest call, which is assumed to block the connection. */
  #blockingId: string | undefined;
  #held_bytes = 0;
  #failed: Failure | undefined;
  /** Stops the timer of the handshake or, once open, of the heartbeat. */
  #stopTimer: () => void;
  /** Ends a check in progress. */
  #stopCheck: (() => void) | undefined;

  constructor(
    options: ConnectionOptions,
    { onOpen, onDropped, onCrowded, onOccupied, onStalled, onClose }: ConnectionEvents,
  ) {
    this.#options = options;
    const socket = this.#openSocket();
    this.#socket = socket;
    this.#reading = new ReadingQueue(socket, options.monotonic_ms);
    this.#gate = this.#createGate(onOccupied);
    this.#onOccupied = onOccupied;
    this.#calls = new PendingCalls(socket, {
      stream: () => this.#stream,
      isShared: options.isShared,
      send_bytes: options.limits.upstream_send_bytes,
      late_ms: options.late_ms,
      onDropped,
      onCrowded,
      onUnanswered: () => this.#check(),
      onOccupied: (account) => this.#occupy(account),
      monotonic_ms: options.monotonic_ms,
      startTimer: options.startTimer,
      arrived_bytes: () => this.#stream?.bytesRead ?? 0,
      onSlow: () => {
        if (this.#gate.id === undefined && this.#held_bytes <= LEADING_BYTES) return;
        onOccupied(undefined);
        this.#findOccupant(this.#gate.id);
      },
      onManyDropped: () => {
        this.#isUseless = true;
        this.terminate(USELESS_MESSAGES);
      },
    });
    this.#line = new HeadOfLine({
      ...options,
      calls: this.#calls,
      hasUnread: () => !this.#reading.isEmpty,
      test: onStalled,
      onQueued: (account) => this.#occupy(account),
      // Calls move once there is another shared connection.
      onBlocked: () =>
        options.isShared && !this.#isRetired ? onOccupied(undefined) : this.#freeBlocked(),
    });
    this.call = (call, signal) => {
      this.#line.watch();
      return this.#calls.call(call, signal);
    };
    // The timeout of ws begins again with each byte that arrives.
    this.#stopTimer = options.startTimer(options.limits.upstream_connect_ms, () =>
      this.terminate(NO_HANDSHAKE),
    );
    socket.on('open', () => {
      this.#stopTimer();
      this.#stopTimer = startHeartbeat(socket, {
        interval_ms: options.limits.upstream_heartbeat_ms,
        beat: () => this.#gate.beat(),
        startTimer: options.startTimer,
        onSilent: () => this.terminate(NO_HEARTBEAT),
      });
      onOpen();
    });
    socket.on('upgrade', ({ socket: stream }) => {
      this.#stream = stream;
      this.#gate.guard(stream);
    });
    socket.on('message', (data) => {
      if (this.#isUseless) return;
      this.#isUnknown = false;
      if (!this.#gate.isNextTruncated()) this.#reading.add(this.#reader(data as Buffer));
    });
    socket.on('error', (error) => {
      // Not closed by a handshake: what the node sends meanwhile would be received for half a minute.
      this.terminate(failure('connection', describeError(error)));
    });
    socket.on('close', (code) => {
      this.#hold(0);
      this.#stopTimer();
      this.#stopCheck?.();
      this.#line.stop();
      const closed = failure('connection', `closed with ${code}`);
      const failed = this.#failed ?? (code === 1009 ? { ...closed, isOversized: true } : closed);
      this.#reading.add(() => {
        onClose(failed, new Set(this.#calls.accounts));
        this.#calls.failAll(failed);
      });
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether calls are in flight. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** The account of the latest large response. */
  get account(): string {
    return [...this.#occupants].at(-1) ?? '';
  }

  get held_bytes(): number {
    return this.#held_bytes;
  }

  /** Closes the connection because all connections together hold too many bytes. */
  discard(): void {
    this.#hold(0);
    this.terminate(TOO_MANY_BYTES);
  }

  /** Marks the connection as replaced: new calls, and those that wait for other accounts, use another one. */
  retire(): void {
    this.#isRetired = true;
    this.#freeBlocked();
    this.#freeOthers();
  }

  /** Closes the connection; calls in flight end with the first failure reported. */
  terminate(failed?: Failure): void {
    this.#failed ??= failed;
    this.#socket.terminate();
  }

  #hold(bytes: number): void {
    const change = bytes - this.#held_bytes;
    this.#held_bytes = bytes;
    this.#calls.hold(bytes);
    this.#options.held.change(this, change);
  }

  /** Gives an account a connection of its own because others wait for responses to it. */
  #occupy(account: string): void {
    this.#occupants.add(account);
    this.#onOccupied(account);
    this.#freeOthers();
  }

  #freeOthers(): void {
    if (!this.#isRetired || (this.#occupants.size === 0 && !this.#isUnknown)) return;
    const isBlocked = this.#line.isBlocked;
    this.#calls.freeOthers(this.#occupants, { isBlocked, blockingId: this.#blockingId });
  }

  /** Moves the calls that wait behind a slow one, whose account gets a connection of its own. */
  #freeBlocked(): void {
    if (!this.#line.isBlocked) return;
    // Its response may have begun; otherwise it is the oldest call.
    const { hasBegun, id: begun } = this.#gate;
    if (hasBegun && begun === undefined) this.#findOccupant(undefined);
    if (this.#isUnknown) return;
    if (begun !== undefined && this.#calls.occupy(begun)) return;
    this.#blockingId = this.#calls.oldest?.id;
    if (this.#blockingId !== undefined) this.#calls.occupy(this.#blockingId);
  }

  /**
   * Finds the account of a large response, or of one that blocks the connection. Some nodes write the id after
   * the result: until it is known, every account gets a connection of its own, and the calls of all accounts
   * are sent again. They are also sent again if it is for none of them.
   */
  #findOccupant(id: string | undefined): void {
    if (id !== undefined && this.#calls.occupy(id)) return;
    const accounts = new Set(this.#calls.awaited);
    this.#isUnknown = id !== undefined || accounts.size > 1;
    if (id === undefined && this.#isUnknown) accounts.forEach(this.#onOccupied);
    this.#freeOthers();
  }

  #openSocket(): WebSocket {
    const { url, headers, limits } = this.#options;
    const message_bytes = limits.response_bytes + ENVELOPE_BYTES;
    const onTooManyInformational = (): void => this.terminate(TOO_MANY_INFORMATIONAL);
    return openSocket({ url, headers, message_bytes, onTooManyInformational });
  }

  #createGate(onOccupied: ConnectionEvents['onOccupied']): MessageGate {
    const { response_bytes, stream_bytes } = this.#options.limits;
    return new MessageGate({
      message_bytes: response_bytes + ENVELOPE_BYTES,
      large_bytes: LARGE_MESSAGE_BYTES,
      discarded_bytes: stream_bytes,
      onLarge: () => onOccupied(undefined),
      onHeld: (bytes) => {
        if (this.isOpen) this.#hold(bytes);
      },
      onLargeId: (id) => this.#findOccupant(id),
      onOversized: () => this.#calls.suspect(),
      onId: (id) => this.#calls.refuse(id),
      onUnknown: () => this.#calls.drop('oversized message without an id'),
      onEndless: (isKnown) => {
        this.#reading.add(() => {
          if (!isKnown) this.#calls.refuseSuspects();
          this.terminate(TOO_LARGE_TO_SKIP);
        });
      },
      onFlood: () => this.#reading.add(() => void this.terminate(TOO_MANY_CONTROL_FRAMES)),
      onInvalid: () => this.#reading.add(() => void this.terminate(INVALID_FRAME)),
    });
  }

  #reader(message: Buffer): Work {
    const reading = new MessageReading(message, this.#options.limits.response_depth);
    return () => {
      if (this.#isUseless) return undefined;
      const response = reading.next();
      if (response === undefined) return 'unfinished';
      this.#calls.receive(response, message.length);
      return undefined;
    };
  }

  /**
   * Closes the connection if nothing, not even the reply to a ping, is received after a call without a
   * response. Heartbeats would notice this much later, and no call gets a response until then.
   */
  #check(): void {
    const stream = this.#stream;
    if (stream === undefined || !this.isOpen || this.#stopCheck !== undefined) return;
    const { startTimer, limits } = this.#options;
    const before = stream.bytesRead;
    this.#socket.ping();
    this.#stopCheck = startTimer(limits.probe_ms, () => {
      this.#stopCheck = undefined;
      if (stream.bytesRead === before && this.#reading.isEmpty) this.terminate(NO_HEARTBEAT);
    });
  }
}
