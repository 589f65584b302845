/** The `traceparent` of a request (W3C Trace Context), not validated yet. */
export interface TraceOrigin {
  readonly traceparent: string;
  /** Whether calls belong to that trace, or have their own traces that link to it. */
  readonly relation: 'parent' | 'link';
}

export interface CallTrace {
  startAttempt(at: AttemptPlace): AttemptTrace;
  /** Called once, when the call ends. */
  end(ending: CallEnding): void;
}

export interface AttemptPlace {
  readonly upstream: string;
  readonly isPartner: boolean;
  readonly method: string;
}

export interface AttemptTrace {
  /** Header to send to the upstream. */
  readonly traceparent: string;
  end(ending: AttemptEnding): void;
}

interface CallEnding {
  /** `ok`, or the reason of the error. */
  readonly outcome: string;
  readonly credits: number;
  /** Code of the JSON-RPC error; undefined on success. */
  readonly code: number | undefined;
  /** Whether the gateway or an upstream failed, rather than the caller. */
  readonly isFailure: boolean;
}

export interface AttemptEnding {
  readonly outcome: string;
  /** Code of a node's error. */
  readonly code: number | null;
  readonly isFailure: boolean;
}

export interface CallStart {
  readonly network: string;
  /** Null if the method does not exist. */
  readonly method: string | null;
  readonly requestId: string;
  /** The id in the JSON-RPC request, as written. */
  readonly id: Buffer;
  readonly keyId: string;
  readonly origin: TraceOrigin | undefined;
}

export type StartTrace = (start: CallStart) => CallTrace;
