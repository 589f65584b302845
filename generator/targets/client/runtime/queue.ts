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

/** A call, and the calls it is under way with; none before and after. */
interface Place extends QueuedCall {
  group?: { left: number; drop: ReturnType<Deliver> } | undefined;
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
  const waiting = new Set<Place>();
  let inFlight = 0;
  let lastId = 0;

  const room = (): number =>
    perCall ? Math.min(size, maxInFlight - inFlight) : inFlight < maxInFlight ? size : 0;

  const flush = (): void => {
    for (let most; waiting.size > 0 && (most = room()) > 0;) {
      const calls = [...waiting].slice(0, most);
      const group: Place['group'] = { left: calls.length, drop: () => {} };
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
        const message = `${maxWaiting} calls wait: await some, or raise maxWaiting`;
        throw new TransportError('too_many_waiting', message);
      }
      const leave = (isAborted?: boolean): void => {
        const { group } = place;
        place.group = undefined;
        signal.removeEventListener('abort', abort);
        if (waiting.delete(place) || !group) return;
        group.left -= 1;
        if (isAborted) group.drop(place, group.left === 0);
        if (!perCall && group.left > 0) return;
        inFlight -= 1;
        if (waiting.size > 0) queueMicrotask(flush);
      };
      const abort = (): void => {
        reject(signal.reason);
        leave(true);
      };
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
      signal.addEventListener('abort', abort);
      waiting.add(place);
      if (waiting.size >= room()) flush();
      else if (waiting.size < 2) {
        if (waitMs > 0) setTimeout(flush, waitMs);
        else queueMicrotask(flush);
      }
    });
}
