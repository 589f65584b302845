import { onAbort } from './abort.ts';
import { TransportError } from './client-error.ts';
import { type Transport, wrapTransport } from './transport.ts';

/** How many calls may be under way, and how many may wait for that. */
export interface Limit {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  /** The address shown in errors. */
  readonly where: string;
}

/**
 * Lets at most `maxInFlight` calls through at once; the others wait in order of arrival.
 * @throws TransportError `too_many_waiting` when the queue is full.
 */
export function withLimit(transport: Transport, limit: Limit): Transport {
  let inFlight = 0;
  const waiting = new Set<() => void>();

  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    if (inFlight < limit.maxInFlight) {
      inFlight += 1;
      return undefined;
    }
    if (waiting.size >= limit.maxWaiting) throw tooManyWaiting(limit);
    return new Promise((resolve, reject) => {
      const forget = onAbort(signal, (reason) => {
        waiting.delete(start);
        reject(reason as Error);
      });
      const start = (): void => {
        forget();
        resolve();
      };
      waiting.add(start);
    });
  };

  // A place is handed on, not freed, when someone waits: a newcomer must not overtake.
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      inFlight -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return wrapTransport(transport, async (call, context) => {
    context.signal.throwIfAborted();
    await enter(context.signal);
    try {
      return await transport(call, context);
    } finally {
      leave();
    }
  });
}

function tooManyWaiting({ maxInFlight, maxWaiting, where }: Limit): TransportError {
  return new TransportError('too_many_waiting', {
    what: `${maxInFlight} calls are under way and ${maxWaiting} more wait`,
    where,
    mend: 'await some of them first, or raise maxInFlight or maxWaiting',
  });
}
