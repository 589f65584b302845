import type { CancelSignal } from '../../time/cancellation.ts';
import type { ConnectionGuard, StreamingOutcome, UpstreamCall } from '../upstream.ts';
import { ReconnectingClient, type SocketUpstreamOptions } from './reconnecting-client.ts';

/**
 * How long an account keeps a connection of its own after the connection of its calls was lost, filled up
 * or blocked.
 */
const ISOLATED_MS = 60_000;

/** Maximum number of connections to a node in addition to the shared one. */
const MAX_ISOLATED = 16;

/**
 * Accounts with large or slow responses get a connection only while there are fewer than this many: accounts whose
 * connection was lost need them more.
 */
const MAX_FOR_OCCUPANTS = 8;

/** Maximum number of accounts that are remembered as not having caused a loss. */
const MAX_CLEARED = 1_000;

/** How often a connection that carries no new calls is checked for calls. */
const LEAVING_CHECK_MS = 100;

interface IsolatedAccount {
  client: ReconnectingClient;
  /** Resolves after the first attempt to connect. */
  started: Promise<void>;
  /** Whether its connection has been lost or occupied since the last decision not to close it. */
  isNeeded: boolean;
  /** Whether it is isolated because of a loss, rather than because of its large or slow messages. */
  readonly isSuspect: boolean;
  cancelEnd: () => void;
}

/**
 * Gives some accounts connections of their own: those whose calls may be why a node closed the shared
 * connection (e.g. a call that is too large for the node), and those that fill it with large requests or
 * responses, or block it with slow calls. Afterwards, only their own calls are lost or have to wait. A node may allow few connections,
 * so the shared one comes first.
 */
export class IsolatedAccounts {
  readonly #options: SocketUpstreamOptions;
  readonly #shared: Pick<ReconnectingClient, 'call' | 'isReady'>;
  readonly #accounts = new Map<string, IsolatedAccount>();
  /** Accounts that did not cause a loss of the shared connection, because they had their own. */
  readonly #cleared = new Set<string>();
  /** Connections of accounts that are no longer isolated, until their calls have ended. */
  readonly #leaving = new Set<ReconnectingClient>();
  #guard: ConnectionGuard | undefined;

  constructor(
    options: SocketUpstreamOptions,
    shared: Pick<ReconnectingClient, 'call' | 'isReady'>,
  ) {
    this.#options = options;
    this.#shared = shared;
  }

  /**
   * Allows connections to be opened. The node is verified on each; only the shared one reports whether it
   * is ready.
   */
  start(guard: ConnectionGuard): void {
    this.#guard = { ...guard, onReady: () => undefined };
  }

  /**
   * Sends a call over the connection of its account, or over the shared one if it has none. A call that may
   * have made another node close its connection gets one first.
   */
  call(call: UpstreamCall, signal: CancelSignal): Promise<StreamingOutcome> {
    const { account = '', isSuspect = false } = call;
    if (isSuspect && account !== '' && !this.#cleared.has(account)) {
      this.addSuspects(new Set([account]));
    }
    const own = this.#accounts.get(account);
    const isOwn = own?.client.isReady === true || this.#shared.isReady;
    if (own === undefined || !isOwn) return this.#shared.call(call, signal);
    const clientOf = (): Pick<ReconnectingClient, 'call'> =>
      own.client.isRefused ? this.#shared : own.client;
    return own.started.then(() => clientOf().call(call, signal));
  }

  /** Opens the connections that wait for the shared one; called when that is ready. */
  resume(): void {
    for (const { client } of this.#accounts.values()) client.resume();
  }

  /** Closes the connections until the shared one is ready again: the node may not allow that many. */
  giveWay(): void {
    for (const [account, own] of this.#accounts) {
      if (own.client.isWaiting || this.#guard === undefined) continue;
      void own.client.close();
      own.client = this.#openClient(() => this.#keep(account));
      own.started = own.client.start(this.#guard);
    }
    for (const client of this.#leaving) this.#closeLeaving(client);
  }

  /**
   * Isolates accounts whose calls were on the shared connection when it was lost, beginning with the most
   * likely cause. Accounts that had their own connections make way for them, so that the cause is found
   * after a few losses, however many accounts there are.
   */
  addSuspects(accounts: ReadonlySet<string>): void {
    const uncleared = [...accounts].filter((account) => !this.#cleared.has(account));
    if (uncleared.length === 0) this.#cleared.clear();
    const suspects = uncleared.length === 0 ? accounts : uncleared;
    for (const account of suspects) {
      if (this.#accounts.has(account)) continue;
      if (this.#accounts.size >= MAX_ISOLATED && !this.#clearOne(accounts)) return;
      this.#add(account, true, MAX_ISOLATED);
    }
  }

  /** Isolates an account whose requests fill the shared connection. */
  addSender(account: string): void {
    this.#add(account, false, MAX_ISOLATED);
  }

  /** Isolates an account whose large or slow responses occupy the shared connection. */
  addOccupant(account: string): void {
    this.#add(account, false, MAX_FOR_OCCUPANTS);
  }

  #add(account: string, isSuspect: boolean, max: number): void {
    if (this.#guard === undefined || this.#accounts.size >= max) return;
    if (!this.#accounts.has(account)) this.#isolate(account, isSuspect, this.#guard);
  }

  /**
   * Ends the isolation of an account that did not cause the loss: it has had a connection of its own, which
   * was not lost. Returns false if there is none.
   */
  #clearOne(lost: ReadonlySet<string>): boolean {
    if (this.#leaving.size >= MAX_ISOLATED) return false;
    for (const [account, own] of this.#accounts) {
      const { client, isNeeded, isSuspect, cancelEnd } = own;
      if (!isSuspect || isNeeded || !client.isReady || lost.has(account)) continue;
      cancelEnd();
      this.#accounts.delete(account);
      if (this.#cleared.size >= MAX_CLEARED) this.#cleared.clear();
      this.#cleared.add(account);
      this.#leaving.add(client);
      this.#scheduleClose(client);
      return true;
    }
    return false;
  }

  #scheduleClose(client: ReconnectingClient): void {
    this.#options.startTimer(LEAVING_CHECK_MS, () => {
      if (!this.#leaving.has(client)) return;
      if (client.isBusy) this.#scheduleClose(client);
      else this.#closeLeaving(client);
    });
  }

  #closeLeaving(client: ReconnectingClient): void {
    this.#leaving.delete(client);
    void client.close();
  }

  close(): void {
    this.#guard = undefined;
    for (const { client, cancelEnd } of this.#accounts.values()) {
      cancelEnd();
      void client.close();
    }
    this.#accounts.clear();
    for (const client of this.#leaving) this.#closeLeaving(client);
  }

  #isolate(account: string, isSuspect: boolean, guard: ConnectionGuard): void {
    const client = this.#openClient(() => this.#keep(account));
    const started = client.start(guard);
    const own: IsolatedAccount = {
      client,
      started,
      isNeeded: false,
      isSuspect,
      cancelEnd: () => undefined,
    };
    this.#accounts.set(account, own);
    this.#scheduleEnd(account, own);
  }

  #keep(account: string): void {
    const own = this.#accounts.get(account);
    if (own !== undefined) own.isNeeded = true;
  }

  #openClient(keep: () => void): ReconnectingClient {
    return new ReconnectingClient({
      ...this.#options,
      onLost: keep,
      onCrowded: keep,
      onOccupied: keep,
      isShared: false,
      mayConnect: () => this.#shared.isReady,
    });
  }

  #scheduleEnd(account: string, own: IsolatedAccount): void {
    own.cancelEnd = this.#options.startTimer(ISOLATED_MS, () => {
      if (own.isNeeded || own.client.isBusy) {
        own.isNeeded = false;
        return this.#scheduleEnd(account, own);
      }
      this.#accounts.delete(account);
      if (this.#accounts.size === 0) this.#cleared.clear();
      return void own.client.close();
    });
  }
}
