import type { CancelSignal } from '../../time/cancellation.ts';
import type { ConnectionGuard, StreamingOutcome, UpstreamCall } from '../upstream.ts';
import { ReconnectingClient, type SocketUpstreamOptions } from './reconnecting-client.ts';

/** How long an account keeps a connection of its own after one with calls of it was lost or full. */
const ISOLATED_MS = 60_000;

/** Maximum connections of a node beside the shared one. */
const MAX_ISOLATED = 16;

/** Accounts with large responses get one only below this number: the other accounts need them more. */
const MAX_FOR_OCCUPANTS = 8;

interface IsolatedAccount {
  readonly client: ReconnectingClient;
  /** Resolves after the first attempt to connect. */
  readonly started: Promise<void>;
  /** Whether its connection was lost or occupied since it was last to be closed. */
  isNeeded: boolean;
  cancelEnd: () => void;
}

/**
 * Gives accounts whose calls may be why a node closed the shared connection, e.g. because one is
 * too large for it, and accounts that fill it with large requests or responses, connections of
 * their own. Then only their own calls are lost or have to wait.
 */
export class IsolatedAccounts {
  readonly #options: SocketUpstreamOptions;
  readonly #accounts = new Map<string, IsolatedAccount>();
  #guard: ConnectionGuard | undefined;

  constructor(options: SocketUpstreamOptions) {
    this.#options = options;
  }

  /** The node is verified on each connection; only the shared one shows whether it is ready. */
  start(guard: ConnectionGuard): void {
    this.#guard = { ...guard, onReady: () => undefined };
  }

  /** Sends the call of an isolated account; returns undefined for any other call. */
  call(call: UpstreamCall, signal: CancelSignal): Promise<StreamingOutcome> | undefined {
    const own = this.#accounts.get(call.account ?? '');
    return own?.started.then(() => own.client.call(call, signal));
  }

  /** Isolates accounts as long as there is space; the likeliest come first. */
  add(accounts: ReadonlySet<string>, max = MAX_ISOLATED): void {
    for (const account of accounts) {
      if (this.#guard === undefined || this.#accounts.size >= max) return;
      if (!this.#accounts.has(account)) this.#isolate(account, this.#guard);
    }
  }

  /** Isolates an account whose responses occupy the shared connection. */
  addOccupant(account: string): void {
    this.add(new Set([account]), MAX_FOR_OCCUPANTS);
  }

  close(): void {
    this.#guard = undefined;
    for (const { client, cancelEnd } of this.#accounts.values()) {
      cancelEnd();
      void client.close();
    }
    this.#accounts.clear();
  }

  #isolate(account: string, guard: ConnectionGuard): void {
    const keep = (): void => {
      own.isNeeded = true;
    };
    const client = new ReconnectingClient({
      ...this.#options,
      onLost: keep,
      onCrowded: () => undefined,
      onOccupied: keep,
      isReplaceable: false,
    });
    const started = client.start(guard);
    const own: IsolatedAccount = { client, started, isNeeded: false, cancelEnd: () => undefined };
    this.#accounts.set(account, own);
    this.#scheduleEnd(account, own);
  }

  #scheduleEnd(account: string, own: IsolatedAccount): void {
    own.cancelEnd = this.#options.startTimer(ISOLATED_MS, () => {
      if (own.isNeeded || own.client.isBusy) {
        own.isNeeded = false;
        return this.#scheduleEnd(account, own);
      }
      this.#accounts.delete(account);
      return void own.client.close();
    });
  }
}
