import { readNumber, startTimer } from './bounds.ts';
import { TransportError } from './client-error.ts';
import { hasNotifications } from './facts.ts';
import type { Answer, Call, CallContext } from './transport.ts';
import type { TransportOptions } from './transport-options.ts';

/** A call on its way. */
export interface QueuedCall {
  readonly call: Call;
  readonly id: number;
  /** The request, as it is sent. */
  readonly text: string;
  /** Ends the call. Whoever delivers it does so once, also where it was aborted meanwhile. */
  readonly settle: (error: unknown, answer?: Answer) => void;
}

/**
 * Sends a group of calls, and settles each. Where groups are counted, it calls `release` when this one
 * is over. What it returns is told of each call that is aborted meanwhile.
 */
export type Deliver = (
  calls: QueuedCall[],
  release: () => void,
) => (aborted: QueuedCall) => unknown;

interface Place extends QueuedCall {
  drop?: ReturnType<Deliver>;
}

/**
 * Collects calls to groups, lets so many at once be under way, and makes the others wait, in order
 * of arrival: what waits goes together when its turn comes.
 * @throws TransportError `too_many_waiting`.
 */
export function createQueue(
  options: TransportOptions<unknown>,
  most: number,
  deliver: Deliver,
  perCall?: boolean,
): (call: Call, context: CallContext) => Promise<Answer> {
  const { batch = {}, json = JSON } = options;
  const size = batch ? readNumber(batch, 'size', 100, 1) : 1;
  const waitMs = readNumber(batch, 'waitMs', 0);
  let free = readNumber(options, 'maxInFlight', most, 1);
  const maxWaiting = readNumber(options, 'maxWaiting', 10_000, 1);
  let lastId = 0;
  // No Set: what one that is emptied again and again has held is kept by V8 for long after.
  const waiting: Place[] = [];

  const room = (): number => (perCall ? Math.min(size, free) : size);
  const flush = (): void => {
    while (waiting.length && free >= 1) {
      const calls = waiting.splice(0, room());
      free -= perCall ? calls.length : 1;
      const drop = deliver(calls, release);
      for (const each of calls) each.drop = drop;
    }
  };
  const release = (): void => {
    free += 1;
    queueMicrotask(flush);
  };

  return (call, { signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (waiting.length >= maxWaiting) {
        throw new TransportError(
          'too_many_waiting',
          `over maxWaiting (${maxWaiting}): await calls`,
        );
      }
      const id = (lastId += 1);
      const place: Place = {
        call,
        id,
        text: json.stringify({
          jsonrpc: '2.0',
          id: hasNotifications && call.notification ? undefined : id,
          method: call.method,
          params: call.params,
        }),
        settle: (error, answer) => {
          if (answer) resolve(answer);
          else reject(error);
          signal.removeEventListener('abort', abort);
          if (perCall) release();
        },
      };
      const abort = (): void => {
        reject(signal.reason);
        // A call that is being sent has neither.
        if (place.drop) place.drop(place);
        else waiting.splice(waiting.indexOf(place) >>> 0, 1);
      };
      signal.addEventListener('abort', abort);
      waiting.push(place);
      if (waiting.length >= room()) flush();
      else if (waiting.length < 2) {
        if (waitMs > 0) startTimer(waitMs, flush);
        else queueMicrotask(flush);
      }
    });
}
