import type { ValidateParams } from '../../common/validators-runtime/check.js';
import type { Validate } from '../rpc/call.ts';

/** An OpenRPC document as mock and proxy use it. */
export interface DescribedService {
  readonly title: string;
  readonly version: string;
  /** The document as JSON text. */
  readonly document: string;
  /** The component schemas, which all methods share. */
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly methods: readonly DescribedMethod[];
}

export interface DescribedMethod {
  readonly name: string;
  /** In the document's order. */
  readonly paramNames: readonly string[];
  /** Whether params may be given by name. */
  readonly takesNames: boolean;
  readonly validateParams: ValidateParams;
  /** Null for a notification. */
  readonly validateResult: Validate | null;
  /** Refers to the component schemas of the service. */
  readonly resultSchema: unknown;
  readonly examples: readonly DescribedExample[];
  readonly errors: readonly DescribedError[];
}

/** An example pairing: params, and the result or error. */
export interface DescribedExample {
  readonly name: string;
  /** In the document's order; omitted ones are undefined. */
  readonly params: readonly unknown[];
  /** JSON text with all digits of its integers. */
  readonly result?: string;
  readonly error?: DescribedError;
}

/** An error that a method may return. */
export interface DescribedError {
  /** Name in the document; null if it has none. */
  readonly name: string | null;
  /** `data.reason`, if the document distinguishes errors of one code by it. */
  readonly reason: string | null;
  /** HTTP status of the response to a single call. */
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
