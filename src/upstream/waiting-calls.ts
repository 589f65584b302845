import type { Failure } from './upstream.ts';

/** A call that waits for a slot. */
export interface WaitingCall {
  /** The neighbors in the queue. */
  previous: WaitingCall | undefined;
  next: WaitingCall | undefined;
  readonly weight: number;
  start(): void;
  refuse(reason: Failure): void;
}

/** A queue as a linked list: to find its first element, a Set steps over all deleted ones. */
export class WaitingCalls {
  first: WaitingCall | undefined;
  last: WaitingCall | undefined;
  /** Counts each call of a batch. */
  size = 0;

  add(call: WaitingCall): void {
    call.previous = this.last;
    if (this.last === undefined) this.first = call;
    else this.last.next = call;
    this.last = call;
    this.size += call.weight;
  }

  /** Removes a call, which must be in the queue. */
  delete({ previous, next, weight }: WaitingCall): void {
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    this.size -= weight;
  }
}
