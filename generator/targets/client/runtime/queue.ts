import { readNumber } from './bounds.ts';
import { TransportError } from './client-error.ts';
import { writeCall } from './envelope.ts';
import type { Answer, Call, CallContext } from './transport.ts';
import type { TransportOptions } from './transport-options.ts';

/** A call on its way, and what settles it (once: what comes later is passed over). */
export interface QueuedCall {
  readonly call: Call;
  readonly id: number;
  /** The request, as it is sent. */
  readonly text: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds what is under way at once. */
export interface FlightLimit {
  /** What may be under way where the options do not say. */
  readonly most: number;
  /** Whether that counts calls; groups otherwise. */
  readonly perCall?: boolean;
}

/**
 * Sends a group of calls, and settles each. What it returns is told of each call that was aborted
 * meanwhile, and how many of the group are left.
 */
export type Deliver = (calls: readonly QueuedCall[]) => (aborted: QueuedCall, left: number) => void;

/** A call, and the calls it is under way with; none before and after. */
interface Place extends QueuedCall {
  group?: { left: number; drop?: ReturnType<Deliver> } | undefined;
}

/**
 * Collects calls to groups, lets so many at once be under way, and makes the others wait, in order
 * of arrival: what waits goes together when its turn comes.
 * @throws TransportError `too_many_waiting`.
 */
export function createQueue(
  options: TransportOptions<unknown>,
  { most, perCall }: FlightLimit,
  deliver: Deliver,
): (call: Call, context: CallContext) => Promise<Answer> {
  const { batch = {}, json = JSON } = options;
  const size = batch ? readNumber(batch, 'size', [1, 100]) : 1;
  const waitMs = readNumber(batch, 'waitMs', [0, 0]);
  const maxInFlight = readNumber(options, 'maxInFlight', [1, most]);
  const maxWaiting = readNumber(options, 'maxWaiting', [1, 10_000]);
  const waiting = new Set<Place>();
  let inFlight = 0;
  let lastId = 0;

  const room = (): number =>
    perCall ? Math.min(size, maxInFlight - inFlight) : inFlight < maxInFlight ? size : 0;

  const flush = (): void => {
    for (let next; waiting.size > 0 && (next = room()) > 0;) {
      const calls = [...waiting].slice(0, next);
      const group: Place['group'] = { left: calls.length };
      inFlight += perCall ? group.left : 1;
      for (const each of calls) {
        waiting.delete(each);
        each.group = group;
      }
      group.drop = deliver(calls);
    }
  };

  return (call, { signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (waiting.size >= maxWaiting) {
        const message = `maxWaiting is ${maxWaiting}: pass more or await calls`;
        throw new TransportError('too_many_waiting', message);
      }
      lastId += 1;
      const place: Place = {
        call,
        id: lastId,
        text: writeCall(call, lastId, json),
        resolve: (answer) => {
          resolve(answer);
          leave();
        },
        reject: (error) => {
          reject(error);
          leave();
        },
      };
      const abort = (): void => {
        const { group } = place;
        place.reject(signal.reason);
        group?.drop?.(place, group.left);
      };
      const leave = (): void => {
        const { group } = place;
        place.group = undefined;
        signal.removeEventListener('abort', abort);
        waiting.delete(place);
        if (!group) return;
        group.left -= 1;
        if (!perCall && group.left > 0) return;
        inFlight -= 1;
        queueMicrotask(flush);
      };
      signal.addEventListener('abort', abort);
      waiting.add(place);
      if (waiting.size >= room()) flush();
      else if (waiting.size < 2) {
        if (waitMs > 0) setTimeout(flush, waitMs);
        else queueMicrotask(flush);
      }
    });
}
