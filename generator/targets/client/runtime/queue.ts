import { readNumber, startTimer } from './bounds.ts';
import { TransportError } from './errors.ts';
import { hasNotifications } from './facts.ts';
import type { TransportOptions } from './options.ts';
import type { Answer, Call, CallContext } from './transport.ts';

export interface QueuedCall {
  readonly call: Call;
  readonly id: number;
  /** The JSON-RPC request. */
  readonly text: string;
  /** Ends the call. Called once, even if the call was aborted. */
  readonly settle: (error: unknown, answer?: Answer) => void;
}

/**
 * Sends a group of calls and settles each. Calls `release` at the end of the group, if groups are
 * counted. Returns a function that is called for each aborted call.
 */
export type Deliver = (
  calls: QueuedCall[],
  release: () => void,
) => (aborted: QueuedCall) => unknown;

interface WaitingCall extends QueuedCall {
  /** Set once the call is sent. */
  drop?: ReturnType<Deliver>;
}

/**
 * Groups calls and limits how many groups, or with `perCall` how many calls, are in flight. The others
 * wait in order and are sent together.
 * @throws TransportError `too_many_waiting`.
 */
export function createQueue(
  options: TransportOptions<unknown>,
  maxInFlight: number,
  deliver: Deliver,
  perCall?: boolean,
): (call: Call, context: CallContext) => Promise<Answer> {
  const { batch = {}, json = JSON } = options;
  const size = readNumber(batch, 'size', batch ? 100 : 1, 1);
  const waitMs = readNumber(batch, 'waitMs', 0);
  let free = readNumber(options, 'maxInFlight', maxInFlight, 1);
  const maxWaiting = readNumber(options, 'maxWaiting', 10_000, 1);
  let lastId = 0;
  // Not a Set: V8 retains the former members of a Set that empties repeatedly.
  const waiting: WaitingCall[] = [];

  const groupSize = (): number => (perCall ? Math.min(size, free) : size);
  const flush = (): void => {
    while (waiting.length && free >= 1) {
      const calls = waiting.splice(0, groupSize());
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
        throw new TransportError('too_many_waiting', `exceeded maxWaiting (${maxWaiting})`);
      }
      const id = (lastId += 1);
      const queued: WaitingCall = {
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
        // While it is being sent, a call neither waits nor has `drop`.
        if (queued.drop) queued.drop(queued);
        else waiting.splice(waiting.indexOf(queued) >>> 0, 1);
      };
      signal.addEventListener('abort', abort);
      waiting.push(queued);
      if (waiting.length >= groupSize()) flush();
      else if (!waiting[1]) {
        if (waitMs) startTimer(waitMs, flush);
        else queueMicrotask(flush);
      }
    });
}
