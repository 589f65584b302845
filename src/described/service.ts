import type { Validate } from '../rpc/call.ts';

/** What a mock or a proxy is given of an OpenRPC document, whichever it is. */
export interface DescribedService {
  readonly title: string;
  readonly version: string;
  /** The document as JSON text. */
  readonly document: string;
  /** The document as @open-rpc/server-js reads it: references followed, schemas whole. */
  readonly reference: ReferenceDocument;
  readonly methods: readonly DescribedMethod[];
}

export interface ReferenceDocument {
  readonly methods: readonly {
    readonly name: string;
    readonly result: { readonly schema: unknown };
  }[];
}

export interface DescribedMethod {
  readonly name: string;
  /** Names of the parameters, in the document's order. */
  readonly paramNames: readonly string[];
  /** Whether params may be an object of names. */
  readonly takesNames: boolean;
  readonly validateParams: Validate;
  /** Null for a notification, which has no result. */
  readonly validateResult: Validate | null;
  readonly examples: readonly DescribedExample[];
  readonly errors: readonly DescribedError[];
}

/** An example pairing: params, and the result or the error they lead to. */
export interface DescribedExample {
  readonly name: string;
  /** In the document's order; undefined where one is left out. */
  readonly params: readonly unknown[];
  /** JSON text, its integers as they are written. */
  readonly result?: string;
  readonly error?: DescribedError;
}

/** An error a method may answer with. */
export interface DescribedError {
  /** What the document calls it; null when it has no name. */
  readonly name: string | null;
  /** `data.reason`, where the document tells errors of one code apart by it. */
  readonly reason: string | null;
  /** HTTP status of an answer to a single call. */
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
