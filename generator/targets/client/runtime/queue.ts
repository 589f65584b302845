import { TransportError } from './client-error.ts';
import { writeCall } from './envelope.ts';
import type { Answer, Call, CallContext, JsonCodec } from './transport.ts';

/** A call on its way, and what settles it (once: what comes later is passed over). */
export interface QueuedCall {
  readonly call: Call;
  readonly id: number;
  /** The request, as it is sent. */
  readonly text: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface QueueOptions {
  /** Most calls of a group; 1: each goes by itself. */
  readonly size: number;
  /** How long a group is collected; 0: what is called in the same turn. */
  readonly waitMs: number;
  readonly maxInFlight: number;
  /** Whether that counts calls; groups otherwise. */
  readonly perCall: boolean;
  readonly maxWaiting: number;
  readonly json: JsonCodec<unknown>;
}

/**
 * Sends a group of calls, and settles each. What it returns is told of each call that was aborted
 * meanwhile, and whether that was the last one of the group.
 */
export type Deliver = (
  calls: readonly QueuedCall[],
) => (aborted: QueuedCall, isLast: boolean) => void;

/** Calls that are under way together. */
interface Group {
  left: number;
  drop: ReturnType<Deliver>;
}

/**
 * Collects calls to groups, lets so many at once be under way, and makes the others wait, in order
 * of arrival: what waits goes together when its turn comes.
 * @throws TransportError `too_many_waiting`.
 */
export function createQueue(
  { size, waitMs, maxInFlight, perCall, maxWaiting, json }: QueueOptions,
  deliver: Deliver,
): (call: Call, context: CallContext) => Promise<Answer> {
  /** The group of each call that is under way. */
  const underWay = new Map<QueuedCall, Group>();
  const waiting = new Set<QueuedCall>();
  let inFlight = 0;
  let lastId = 0;

  const room = (): number =>
    perCall ? Math.min(size, maxInFlight - inFlight) : inFlight < maxInFlight ? size : 0;

  const flush = (): void => {
    for (let most; waiting.size > 0 && (most = room()) > 0;) {
      const calls = [...waiting].slice(0, most);
      const group: Group = { left: calls.length, drop: () => {} };
      inFlight += perCall ? group.left : 1;
      for (const each of calls) {
        waiting.delete(each);
        underWay.set(each, group);
      }
      group.drop = deliver(calls);
    }
  };

  const enqueue = (queued: QueuedCall): void => {
    waiting.add(queued);
    if (waiting.size >= room()) flush();
    else if (waiting.size > 1) return;
    else if (waitMs > 0) setTimeout(flush, waitMs);
    else queueMicrotask(flush);
  };

  const leave = (queued: QueuedCall, isAborted: boolean): void => {
    const group = underWay.get(queued);
    underWay.delete(queued);
    if (waiting.delete(queued) || group === undefined) return;
    group.left -= 1;
    if (isAborted) group.drop(queued, group.left === 0);
    if (group.left > 0 && !perCall) return;
    inFlight -= 1;
    if (waiting.size > 0) queueMicrotask(flush);
  };

  return (call, { signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (waiting.size >= maxWaiting) {
        const message = `${maxWaiting} calls wait: await some of them first, or raise maxWaiting`;
        throw new TransportError('too_many_waiting', message);
      }
      const abort = (): void => end(reject, true)(signal.reason);
      const end =
        <T>(act: (value: T) => void, isAborted = false) =>
        (value: T): void => {
          signal.removeEventListener('abort', abort);
          act(value);
          leave(queued, isAborted);
        };
      lastId += 1;
      const queued = {
        call,
        id: lastId,
        text: writeCall(call, lastId, json),
        resolve: end(resolve),
        reject: end(reject),
      };
      signal.addEventListener('abort', abort);
      enqueue(queued);
    });
}
