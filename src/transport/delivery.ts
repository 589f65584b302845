import type { ServerResponse } from 'node:http';
import type { StreamFate } from '../rpc/call.ts';
import type { StallWatch } from './stall-watch.ts';
import type { HeldAnswer, Holder, UnsentAnswers } from './unsent-answers.ts';

/** The connection of an answer. */
export interface AnswerHolder extends Holder {
  readonly watch: StallWatch;
}

/** One HTTP answer on its way to its caller. */
export class Delivery {
  readonly response: ServerResponse;
  /** Who it is for; undefined while that is not known. */
  account: string | undefined;
  /** Whether the connection is closed after it. */
  isLast = false;
  /** Whether an answer before it was the last one: the request is not to be processed. */
  isDropped = false;
  readonly #connection: AnswerHolder;
  readonly #listeners: ((fate: StreamFate) => void)[] = [];
  #fate: StreamFate | undefined;
  #held: HeldAnswer | undefined;

  constructor(connection: AnswerHolder, response: ServerResponse) {
    this.#connection = connection;
    this.response = response;
  }

  /** Calls back once, when the caller has all of the answer or will not get it; at once if it is so. */
  onEnd(listener: (fate: StreamFate) => void): void {
    if (this.#fate === undefined) this.#listeners.push(listener);
    else listener(this.#fate);
  }

  /** Holds an answer until it is taken; nothing is held of one that the system has taken already. */
  hold(unsent: UnsentAnswers, bytes: number): void {
    const { socket, writableEnded } = this.response;
    if (this.#fate !== undefined) return;
    if (socket !== null && writableEnded && socket.writableLength === 0) return;
    this.#connection.watch.start();
    const held = unsent.hold(this.#connection, this.account, bytes);
    // To hold it may have cut its own connection.
    if (this.#fate === undefined) this.#held = held;
  }

  /** The caller took something, `bytes` of which were held. */
  taken(bytes: number): void {
    this.#held?.taken(bytes);
    this.#connection.watch.progress();
  }

  end(fate: StreamFate): void {
    this.#fate = fate;
    this.#held?.release();
    this.#held = undefined;
    for (const listener of this.#listeners) listener(fate);
  }
}
