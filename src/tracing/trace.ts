/**
 * How calls are followed, as the rooms see it; what records spans is behind these shapes, and
 * nothing is there when nobody records.
 */

/** Where a request says it comes from: a `traceparent` (W3C Trace Context), not yet looked at. */
export interface TraceOrigin {
  readonly traceparent: string;
  /** Whether calls are parts of that trace, or have traces of their own that point to it. */
  readonly relation: 'parent' | 'link';
}

/** A call that is followed. */
export interface CallTrace {
  startAttempt(at: AttemptPlace): AttemptTrace;
  /** Called once, when the caller has its answer. */
  end(ending: CallEnding): void;
}

export interface AttemptPlace {
  readonly upstream: string;
  readonly isPartner: boolean;
  readonly method: string;
}

/** An attempt at an upstream that is followed. */
export interface AttemptTrace {
  /** To be sent along to the upstream. */
  readonly traceparent: string;
  /** Called once. */
  end(ending: AttemptEnding): void;
}

export interface CallEnding {
  /** `ok`, or the reason of the error. */
  readonly outcome: string;
  readonly credits: number;
  /** Of the JSON-RPC error, if there was one. */
  readonly code: number | undefined;
  /** Whether it was no fault of the caller's. */
  readonly isFailure: boolean;
}

export interface AttemptEnding {
  readonly outcome: string;
  /** Of a node's error. */
  readonly code: number | null;
  readonly isFailure: boolean;
}

/** A call about to be performed. */
export interface CallStart {
  readonly network: string;
  /** Null when there is no such method. */
  readonly method: string | null;
  readonly requestId: string;
  /** The id in the JSON-RPC request, as written. */
  readonly id: Buffer;
  readonly keyId: string;
  readonly origin: TraceOrigin | undefined;
}

export type StartTrace = (start: CallStart) => CallTrace;
