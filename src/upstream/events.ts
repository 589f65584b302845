import type { Head } from './health/probes.ts';
import type { BreakerState } from './routing/breaker.ts';
import type { FailureCause } from './upstream.ts';

interface OfNode {
  readonly upstream: string;
}

interface OfAttempt extends OfNode {
  readonly isPartner: boolean;
  readonly method: string;
}

interface OfEndedAttempt extends OfAttempt {
  readonly requestId: string | undefined;
  /** Describes a failure; empty for other outcomes. */
  readonly detail: string;
  /** Excludes the time in the queue. */
  readonly duration_ms: number;
}

interface EventsByKind {
  /** A call was sent to a node; retries and hedges are attempts too. */
  readonly attempt: OfAttempt;
  /** An attempt ended; `code` is the code of a node error, and null for other outcomes. */
  readonly outcome: OfEndedAttempt & {
    readonly outcome: 'result' | 'error' | 'stream' | FailureCause;
    readonly code: number | null;
  };
  /** A streamed result ended. */
  readonly stream: OfEndedAttempt & {
    readonly end: 'whole' | FailureCause;
    readonly bytes: number;
  };
  /** A node is called because another attempt ended with `cause`. */
  readonly retry: OfNode & { readonly method: string; readonly cause: FailureCause | 'error' };
  /** A second node is called because the first is slow. */
  readonly hedge: OfNode & { readonly method: string };
  /** The partner is called because the network could not answer. */
  readonly forward: {
    readonly method: string;
    readonly requestId: string | undefined;
    readonly cause: FailureCause;
  };
  /**
   * A call was looked up in memory (`hit`, `miss`), then on the cache server (`server`: found;
   * `unavailable`: the lookup failed or was skipped), or is answered together with an identical one
   * (`shared`).
   */
  readonly cache: {
    readonly method: string;
    readonly outcome: 'hit' | 'miss' | 'server' | 'unavailable' | 'shared';
  };
  /** The cache server can be asked again, or cannot be asked for the reason in `detail`. */
  readonly cacheServer: { readonly isAvailable: boolean; readonly detail: string };
  readonly breaker: OfNode & { readonly state: BreakerState };
  /** A node became healthy, or unhealthy for the reason in `detail`. */
  readonly health: OfNode & { readonly isHealthy: boolean; readonly detail: string };
  /** A connection received a message that answers no call; reported once per connection. */
  readonly dropped: OfNode & { readonly detail: string };
  /** A probe returned the latest block; `lag` counts blocks behind the highest node. */
  readonly head: OfNode & { readonly head: Head; readonly lag: number };
  /** A node asked for a cooldown. */
  readonly cooldown: OfNode & { readonly cooldown_ms: number };
  /** The call budget of a node was exhausted, or calls are available again. */
  readonly budget: OfNode & {
    readonly isExhausted: boolean;
    readonly callsLeftToday: number | null;
  };
}

/** An event between a network and its nodes, for logs and metrics; contains no secrets. */
export type UpstreamEvent = {
  [Kind in keyof EventsByKind]: { readonly kind: Kind } & EventsByKind[Kind];
}[keyof EventsByKind];

/** Must not throw. */
export type Observe = (event: UpstreamEvent) => void;
