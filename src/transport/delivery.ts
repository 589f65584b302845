import type { ServerResponse } from 'node:http';
import { SERVER_CLOSED, type DeliveryOutcome } from '../rpc/call.ts';
import type { BodyFlowOptions } from '../time/body-flow.ts';
import { Cancellation } from '../time/cancellation.ts';
import { WITHOUT_KEY, type NetworkService } from './network-service.ts';
import type { HeldAnswer, Holder, StallWatch, UnsentAnswers } from './unsent-answers.ts';

/** Maximum part of a paused body that Node reads ahead: its `highWaterMark`. */
const PAUSED_BYTES = 65_536;

/** The connection that a response is sent over. */
interface Connection extends Holder {
  readonly watch: StallWatch;
}

/** The delivery of one HTTP answer to its caller. */
export class Delivery {
  readonly response: ServerResponse;
  /** The account it is for; undefined while unknown. */
  account: string | undefined;
  /** Whether the connection is closed after it. */
  isLast = false;
  /** Whether it refuses a request without a valid key. */
  isRefusal = false;
  /** Whether the request must not be processed, because an earlier answer was the last one. */
  isIgnored = false;
  /** Cancels the work on an answer that cannot be delivered. */
  readonly cancellation = new Cancellation();
  readonly #connection: Connection;
  #listeners: readonly ((outcome: DeliveryOutcome) => void)[] = [];
  #outcome: DeliveryOutcome | undefined;
  #held: HeldAnswer | undefined;

  constructor(connection: Connection, response: ServerResponse) {
    this.#connection = connection;
    this.response = response;
  }

  /** Calls `listener` once, when the delivery has ended; at once if it has already. */
  onEnd(listener: (outcome: DeliveryOutcome) => void): void {
    // `push` would allocate space for 17 listeners.
    if (this.#outcome === undefined) this.#listeners = [...this.#listeners, listener];
    else listener(this.#outcome);
  }

  /** Returns how a large body takes turns. What is read ahead while it waits counts as unsent. */
  flow({ turns, unsent }: NetworkService): Omit<BodyFlowOptions, 'controller'> {
    const onWaiting = (turn: Promise<void>): void => {
      const held = unsent.hold(this.#connection, this.account, PAUSED_BYTES);
      this.onEnd(held.release);
      void turn.then(held.release);
    };
    return { turns, readers: this.account ?? WITHOUT_KEY, onWaiting };
  }

  /** Counts the answer as unsent, unless the operating system has taken all of it. */
  hold(unsent: UnsentAnswers, bytes: number): void {
    const { socket, writableEnded } = this.response;
    if (this.#outcome !== undefined) return;
    if (socket !== null && writableEnded && socket.writableLength === 0) return;
    this.#connection.watch.start();
    const held = unsent.hold(this.#connection, this.account, bytes);
    // Holding the answer may have cut this connection.
    if (this.#outcome === undefined) this.#held = held;
  }

  /** Records that `bytes` of the held bytes were sent. */
  sent(bytes: number): void {
    this.#held?.sent(bytes);
    this.#connection.watch.progress();
  }

  end(outcome: DeliveryOutcome): void {
    this.#outcome = outcome;
    this.#held?.release();
    this.#held = undefined;
    if (outcome !== 'complete') {
      // Node destroys only the first response of a connection that it no longer handles.
      this.response.destroy();
      this.cancellation.abort(outcome === 'cut' ? SERVER_CLOSED : undefined);
    }
    for (const listener of this.#listeners) listener(outcome);
  }
}
