import { destination, pino, type Logger as Pino } from 'pino';
import type { UpstreamEvent } from '../upstream/events.ts';

export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled' | 'level'>;

/** Bytes of lines that could not be written and are kept until they can; further lines are dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * Creates a logger of JSON lines on stderr, each with the fields of `base`. Calls go on when the log cannot be
 * written, for example because the disk is full.
 */
export function createLogger(level: string, base: object | null = null): Logger {
  const stderr = destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  stderr.on('error', () => undefined);
  return pino({ level, base }, stderr);
}

/** Logs what goes wrong with an upstream at warn, and its recovery at info. */
export function logUpstreamEvent(network: string, event: UpstreamEvent, logger: Logger): void {
  switch (event.kind) {
    case 'outcome': {
      const { upstream, method, requestId, outcome: cause, detail } = event;
      if (detail === '' || cause === 'aborted') return;
      const failure = { network, upstream, method, requestId, cause, detail };
      return logger.warn(failure, 'upstream call failed');
    }
    case 'stream': {
      const { upstream, method, requestId, end: cause, detail, bytes } = event;
      if (cause === 'whole' || cause === 'aborted') return;
      const ending = { network, upstream, method, requestId, cause, detail, bytes };
      return logger.warn(ending, 'streamed result ended early');
    }
    case 'forward': {
      const { method, requestId, cause } = event;
      return logger.warn({ network, method, requestId, cause }, 'call forwarded to the partner');
    }
    case 'health': {
      const { upstream, isHealthy, detail } = event;
      if (isHealthy) return logger.info({ network, upstream }, 'upstream healthy');
      return logger.warn({ network, upstream, detail }, 'upstream unhealthy');
    }
    case 'dropped': {
      const { upstream, detail } = event;
      return logger.warn({ network, upstream, detail }, 'upstream message dropped');
    }
    case 'cooldown': {
      const { upstream, cooldown_ms } = event;
      return logger.warn({ network, upstream, cooldown_ms }, 'upstream cooling down');
    }
    case 'breaker': {
      const { upstream, state } = event;
      if (state === 'open') return logger.warn({ network, upstream }, 'circuit breaker opened');
      return logger.info({ network, upstream, state }, 'circuit breaker changed state');
    }
    case 'cacheServer': {
      const { isAvailable, detail } = event;
      if (isAvailable) return logger.info({ network }, 'cache server available');
      return logger.warn({ network, detail }, 'cache server unavailable');
    }
    case 'budget': {
      const { upstream, isExhausted, callsLeftToday } = event;
      // A fully used budget of calls per second changes many times a second.
      const budget = { network, upstream, isExhausted, callsLeftToday };
      return logger.debug(budget, 'upstream budget changed');
    }
    default:
      return undefined;
  }
}
