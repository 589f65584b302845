import type { UpstreamEvent } from '../upstream/events.ts';
import type { Logger } from './logger.ts';

/** One line for each problem of an upstream, at warn; what ends a problem, at info. */
export function logUpstreamEvent(network: string, event: UpstreamEvent, logger: Logger): void {
  switch (event.kind) {
    case 'outcome': {
      const { upstream, method, requestId, outcome, detail } = event;
      if (detail === '' || outcome === 'aborted') return;
      return logger.warn(
        { network, upstream, method, requestId, cause: outcome, detail },
        'an upstream failed a call',
      );
    }
    case 'stream': {
      const { upstream, method, requestId, end, detail, bytes } = event;
      if (end === 'whole' || end === 'aborted') return;
      return logger.warn(
        { network, upstream, method, requestId, cause: end, detail, bytes },
        'a stream was cut short',
      );
    }
    case 'forward': {
      const { method, requestId, cause } = event;
      return logger.warn({ network, method, requestId, cause }, 'a call goes to the partner');
    }
    case 'health': {
      const { upstream, isHealthy, detail } = event;
      if (isHealthy) return logger.info({ network, upstream }, 'an upstream is fit');
      return logger.warn({ network, upstream, detail }, 'an upstream is unfit');
    }
    case 'cooldown': {
      const { upstream, cooldown_ms } = event;
      return logger.warn({ network, upstream, cooldown_ms }, 'an upstream asks to be left alone');
    }
    case 'breaker': {
      const { upstream, state } = event;
      if (state === 'open') return logger.warn({ network, upstream }, 'a circuit breaker opened');
      return logger.info({ network, upstream, state }, 'a circuit breaker changed');
    }
    case 'budget': {
      const { upstream, isExhausted, callsLeftToday } = event;
      // Many a second where a budget of calls a second is used to the full.
      return logger.debug({ network, upstream, isExhausted, callsLeftToday }, 'a budget changed');
    }
    default:
      return undefined;
  }
}
