import type { Head } from './probes.ts';
import type { BreakerState } from './routing/breaker.ts';
import type { FailureCause } from './failure.ts';

/** How an attempt ended: with a node's answer, with a stream begun, or without. */
export type AttemptOutcome = 'result' | 'error' | 'stream' | FailureCause;

/** What happens between a network and its upstreams; for logs and metrics. Nothing holds secrets. */
export type UpstreamEvent =
  /** A call was sent to an upstream, for the first time or again, or beside another. */
  | {
      readonly kind: 'attempt';
      readonly upstream: string;
      readonly isPartner: boolean;
      readonly method: string;
    }
  /** An attempt ended; `code` is a node error's, `detail` a failure's. Time in the queue does not count. */
  | {
      readonly kind: 'outcome';
      readonly upstream: string;
      readonly isPartner: boolean;
      readonly method: string;
      readonly requestId: string | undefined;
      readonly outcome: AttemptOutcome;
      readonly code: number | null;
      readonly detail: string;
      readonly duration_ms: number;
    }
  /** A streamed result ended; `whole`, or why not. */
  | {
      readonly kind: 'stream';
      readonly upstream: string;
      readonly isPartner: boolean;
      readonly method: string;
      readonly requestId: string | undefined;
      readonly end: 'whole' | FailureCause;
      readonly detail: string;
      readonly bytes: number;
      readonly duration_ms: number;
    }
  /** An upstream is asked because another attempt ended badly: with `cause`, a node's `error` too. */
  | {
      readonly kind: 'retry';
      readonly upstream: string;
      readonly method: string;
      readonly cause: FailureCause | 'error';
    }
  /** A second upstream is asked because the first is slow. */
  | { readonly kind: 'hedge'; readonly upstream: string; readonly method: string }
  /** The network could not answer, and a partner is asked in its place. */
  | {
      readonly kind: 'forward';
      readonly method: string;
      readonly requestId: string | undefined;
      readonly cause: FailureCause;
    }
  | { readonly kind: 'breaker'; readonly upstream: string; readonly state: BreakerState }
  /** An upstream can be asked, or no longer, and why. */
  | {
      readonly kind: 'fitness';
      readonly upstream: string;
      readonly isFit: boolean;
      readonly detail: string;
    }
  /** An upstream told its newest block; `lag` is how far that is behind the highest one. */
  | {
      readonly kind: 'head';
      readonly upstream: string;
      readonly head: Head;
      readonly lag: number;
    }
  /** An upstream asks to be left alone, and is for so long. */
  | { readonly kind: 'rest'; readonly upstream: string; readonly rest_ms: number }
  /** An upstream has spent its budget, or has room again. */
  | {
      readonly kind: 'budget';
      readonly upstream: string;
      readonly hasRoom: boolean;
      readonly leftToday: number | null;
    };

/** Must not throw. */
export type Observe = (event: UpstreamEvent) => void;
