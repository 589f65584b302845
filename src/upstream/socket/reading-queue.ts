import type { WebSocket } from 'ws';
import { MessageTurns, type Work } from '../../time/message-turns.ts';

/** Processes messages in order, and stops reading from the socket while some of them are waiting. */
export class ReadingQueue {
  readonly #socket: WebSocket;
  readonly #turns: MessageTurns<ReadingQueue>;
  /** Number of messages that have not been read completely. */
  #waiting = 0;

  constructor(socket: WebSocket, monotonic_ms: () => number) {
    this.#socket = socket;
    this.#turns = new MessageTurns<ReadingQueue>(monotonic_ms);
  }

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  add(work: Work): void {
    this.#waiting += 1;
    this.#turns.run(this, () => {
      if (work() === 'unfinished') return 'unfinished';
      this.#waiting -= 1;
      this.#keepPace();
      return undefined;
    });
    this.#keepPace();
  }

  #keepPace(): void {
    const isPaused = this.#waiting > 0;
    if (isPaused === this.#socket.isPaused) return;
    if (isPaused) this.#socket.pause();
    else this.#socket.resume();
  }
}
