import type { CancelSignal } from '../../time/cancellation.ts';
import type { WebSocket } from 'ws';
import { ERROR_TOO_LARGE, requestIdOf, UNANSWERED, WRONG_ID, type Response } from '../json-rpc.ts';
import {
  ABORTED,
  failure,
  type Failure,
  type UpstreamCall,
  type UpstreamOutcome,
} from '../upstream.ts';
import { AccountBytes, type AccountBytesOptions } from './account-bytes.ts';
import { LateCalls, type LateCallsOptions } from './late-calls.ts';
import { PendingCall, type CallList } from './pending-call.ts';
import { SendQueue, type SendQueueOptions } from './send-queue.ts';

export interface PendingCallsOptions
  extends SendQueueOptions, LateCallsOptions, Omit<AccountBytesOptions, 'ping'> {
  /** Whether the calls of all accounts use the connection. */
  readonly isShared: boolean;
  /** The first message that answers no request was dropped. */
  readonly onDropped: (detail: string) => void;
  /** The node sends nothing but messages that answer no request. */
  readonly onManyDropped: () => void;
  /** A call that was sent has ended without a response. */
  readonly onUnanswered: () => void;
}

/**
 * After this many dropped messages in a row without a response to any call, the connection is
 * useless.
 */
const MAX_DROPPED_IN_A_ROW = 16;

/** Replaces the content of the response, which may be a late one to a call whose caller has left. */
const NO_ID = failure('malformed', 'response has no id');
const REQUEST = 'request or notification from the node';
const ANSWERED = 'response to a call that has ended';
export const NOT_CONNECTED: Failure = {
  ...failure('connection', 'not connected'),
  isShared: true,
  isUnsent: true,
};
const TOO_LARGE = failure('too_large', 'response exceeds the size limit');
const OCCUPIED: Failure = {
  ...failure('interrupted', 'the responses of another account fill the connection'),
  isShared: true,
  isMoved: true,
};
/** A call that the node has not begun; it is sent again over another connection. */
export const BLOCKED: Failure = {
  ...failure('interrupted', 'a slow call of another account blocks the connection'),
  isShared: true,
};
const TOO_MANY_UNSENT = failure('overloaded', 'too many unsent bytes');

/** The calls on one WebSocket, matched to their responses by id. */
export class PendingCalls implements CallList {
  readonly #socket: WebSocket;
  readonly #options: PendingCallsOptions;
  readonly #queue: SendQueue;
  /** Calls that are not sent yet. */
  readonly #unsent = new Set<PendingCall>();
  /** Calls that were sent, by id. */
  readonly #pending = new Map<string, PendingCall>();
  readonly #late: LateCalls;
  readonly #bytes: AccountBytes;
  /** Number of responses received. */
  received = 0;
  /** The highest id of a call whose response has arrived. */
  lastAnswered = 0;
  #lastId = 0;
  /** An oversized response may belong to any call up to this id. */
  #lastSuspect = 0;
  #droppedInARow = 0;
  #hasDropped = false;
  /** Messages that may answer calls whose response has not arrived, each one of them. */
  #unidentified = 0;

  constructor(socket: WebSocket, options: PendingCallsOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#queue = new SendQueue(socket, options);
    this.#late = new LateCalls(options);
    this.#bytes = new AccountBytes({ ...options, ping: () => socket.ping() });
    socket.on('pong', () => this.#bytes.stop());
  }

  get isShared(): boolean {
    return this.#options.isShared;
  }

  get size(): number {
    return this.#unsent.size + this.#pending.size;
  }

  get sentCalls(): readonly Pick<PendingCall, 'id' | 'account'>[] {
    return [...this.#pending.values()];
  }

  /** The oldest call without a response; it may have ended, unless it is a probe. */
  get oldest(): Pick<PendingCall, 'id' | 'account'> | undefined {
    const [pending] = this.#pending.values();
    const late = this.#late.oldest;
    return Number(late?.id ?? Infinity) < Number(pending?.id ?? Infinity) ? late : pending;
  }

  /** The account of each call that was sent, beginning with the latest call. */
  get accounts(): readonly string[] {
    return [...this.#pending.values()].toReversed().flatMap(({ account }) => account ?? []);
  }

  /** The account of each call that the next response may answer, including calls that have ended. */
  get awaited(): readonly string[] {
    return [...this.accounts, ...this.#late.accounts];
  }

  call(call: UpstreamCall, signal: CancelSignal): Promise<UpstreamOutcome> {
    const { calls } = call;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(ABORTED);
      if (this.#socket.readyState !== this.#socket.OPEN) return resolve(NOT_CONNECTED);
      if (calls === undefined) return this.#start(call, signal, resolve);
      let left = calls.length;
      for (const each of calls) {
        this.#start(each.call, signal, (outcome) => {
          if (!signal.aborted) each.outcome = outcome;
          left -= 1;
          if (left === 0) resolve(UNANSWERED);
        });
      }
      return undefined;
    });
  }

  #start(
    call: UpstreamCall,
    signal: CancelSignal,
    onOutcome: (outcome: UpstreamOutcome) => void,
  ): void {
    const pending = new PendingCall(this, call, signal, onOutcome);
    this.#unsent.add(pending);
    if (!this.#queue.add(pending)) pending.end(TOO_MANY_UNSENT);
  }

  /** Records how much of a message has arrived. */
  hold(bytes: number): void {
    this.#bytes.hold(bytes);
  }

  /** Records that a call is sent; returns its id. */
  sent(pending: PendingCall): number {
    this.#lastId += 1;
    pending.id = String(this.#lastId);
    this.#unsent.delete(pending);
    this.#pending.set(pending.id, pending);
    const { account, size_bytes } = pending;
    if (account !== undefined) this.#bytes.send(account, size_bytes);
    return this.#lastId;
  }

  /** Forgets a call that has ended. */
  remove(pending: PendingCall): void {
    if (pending.id !== undefined) {
      this.#pending.delete(pending.id);
      this.#unidentified = Math.min(this.#unidentified, this.#unanswered);
      return;
    }
    this.#queue.delete(pending);
    this.#unsent.delete(pending);
  }

  /**
   * Ends the call that a message answers, even if the message is unusable: other calls may belong to other
   * accounts.
   */
  receive({ id, outcome, isRequest }: Response, size_bytes: number): void {
    this.received += 1;
    if (isRequest && !this.#pending.has(id ?? '')) return this.drop(REQUEST);
    // A node writes a null id when it could not read the id of the request (JSON-RPC 2.0, section 5).
    const hasNoId = id === undefined || id === 'null';
    return hasNoId ? this.#endUnknown(outcome) : this.#end(id, outcome, size_bytes);
  }

  /** Reports that other accounts wait for the response to this call. Returns whether it is for an account. */
  occupy(id: string): boolean {
    const number = requestIdOf(id) ?? '';
    const account = this.#pending.get(number)?.account ?? this.#late.accountOf(number);
    if (account !== undefined) this.#options.onOccupied(account);
    return account !== undefined;
  }

  /** Records that an oversized response has begun, which answers one of the calls sent so far. */
  suspect(): void {
    this.#lastSuspect = this.#lastId;
  }

  /** Fails the call that the oversized response answers. */
  refuse(id: string): void {
    this.#end(id, TOO_LARGE, Infinity);
  }

  /** Fails all calls that the oversized response may answer, because its id stays unknown. */
  refuseSuspects(): void {
    for (const [id, pending] of this.#pending) {
      if (Number(id) <= this.#lastSuspect) pending.end({ ...TOO_LARGE, isUncertain: true });
    }
  }

  /** Ignores a message that answers no call, unless many of them arrive in a row. */
  drop(detail: string): void {
    this.#report(detail);
    this.#droppedInARow += 1;
    if (this.#droppedInARow === MAX_DROPPED_IN_A_ROW) this.#options.onManyDropped();
  }

  /**
   * Ends the calls of other accounts, and probes if they are blocked, to send them over another connection. If
   * no account is known to be the cause, the calls of each use a connection of its own. So do the other calls
   * of an account whose call is only assumed to block the connection.
   */
  freeOthers(
    accounts: ReadonlySet<string>,
    {
      isBlocked,
      blockingId,
    }: { readonly isBlocked: boolean; readonly blockingId?: string | undefined },
  ): void {
    const isGuess = isBlocked && blockingId !== undefined;
    // A call that has moved often enough stays, so that it gets a response even if all connections are slow.
    const isOther = ({ account, id, stays }: PendingCall): boolean => {
      if (stays) return false;
      if (account === undefined) return isBlocked;
      return !accounts.has(account) || (isGuess && id !== blockingId);
    };
    for (const call of [...this.#unsent, ...this.#pending.values()]) {
      if (!isOther(call)) continue;
      this.#late.add(call);
      const { account } = call;
      const isMoved = account !== undefined && (accounts.size === 0 || accounts.has(account));
      call.end(isBlocked && !isMoved ? BLOCKED : OCCUPIED);
    }
  }

  /** Fails all calls because the connection was lost. */
  failAll(failed: Failure): void {
    this.#bytes.stop();
    for (const unsent of this.#unsent) unsent.end({ ...failed, isShared: true });
    const { isOversized, ...lost } = failed;
    // The latest one is the most likely cause, so it is the first to be sent elsewhere.
    const sent = [...this.#pending.values()].toReversed();
    const largest_bytes = isOversized && Math.max(...sent.map(({ size_bytes }) => size_bytes));
    for (const call of sent) {
      const isCause = call.size_bytes === largest_bytes;
      call.end({ ...lost, isShared: true, isSuspect: true, ...(isCause && { isOversized }) });
    }
    this.#late.clear();
  }

  #report(detail: string): void {
    if (!this.#hasDropped) this.#options.onDropped(detail);
    this.#hasDropped = true;
  }

  /** Number of calls whose response has not arrived. */
  get #unanswered(): number {
    return this.#pending.size + this.#late.size;
  }

  /**
   * Handles a message without a readable id. A response ends the call in flight if it is the only one without
   * a response. Otherwise it may answer any of them, also one that has ended: as many such messages as calls
   * may all be due to the calls of one account, and do not show that the connection is useless.
   */
  #endUnknown(outcome: UpstreamOutcome): void {
    const isFailure = outcome.kind === 'failure' && outcome !== ERROR_TOO_LARGE;
    const [only] = this.#pending.values();
    const isOnly = this.#pending.size === 1 && this.#unidentified >= this.#late.size;
    if (!isFailure && only !== undefined && isOnly) return only.end(NO_ID);
    const { detail } = isFailure ? outcome : NO_ID;
    if (this.#unidentified >= this.#unanswered) return this.drop(detail);
    this.#unidentified += 1;
    return this.#report(detail);
  }

  #end(id: string, outcome: UpstreamOutcome, size_bytes: number): void {
    const exact = this.#pending.get(id);
    const number = exact === undefined ? requestIdOf(id) : id;
    if (number === undefined || Number(number) > this.#lastId) {
      return this.drop(outcome.kind === 'failure' ? outcome.detail : WRONG_ID.detail);
    }
    const pending = exact ?? this.#pending.get(number);
    if (pending === undefined && !this.#late.has(number)) return this.drop(ANSWERED);
    this.lastAnswered = Math.max(this.lastAnswered, Number(number));
    if (pending === undefined) {
      const account = this.#late.delete(number);
      this.#unidentified = Math.min(this.#unidentified, this.#unanswered);
      return this.#count(account, size_bytes);
    }
    // Otherwise the id was sent back as a string.
    pending.end(exact !== undefined || outcome.kind === 'failure' ? outcome : WRONG_ID);
    return this.#count(pending.account, size_bytes);
  }

  /** Counts a response to a call, also to one that has ended: other accounts wait behind it, too. */
  #count(account: string | undefined, size_bytes: number): void {
    this.#droppedInARow = 0;
    if (account !== undefined) this.#bytes.receive(account, size_bytes);
  }

  leave(pending: PendingCall): Promise<void> {
    const ended = this.#late.add(pending);
    this.#options.onUnanswered();
    return ended;
  }
}
