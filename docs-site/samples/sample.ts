/** The code of one call, in one language. */

/** Integers that a number cannot hold are bigints. */
export type Json =
  null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

export interface SampleMethod {
  /** The name on the wire. */
  readonly name: string;
  /** Name of the method in the generated client. */
  readonly identifier: string;
  /** "evm", "svm", or null when the document says nothing. */
  readonly family: string | null;
  /** "http" and "websocket"; empty when the document says nothing. */
  readonly transports: readonly string[];
  /** Name of the generated client's package. */
  readonly clientPackage: string;
  /** The generated client of Python, as it is imported, and the method's name in it. */
  readonly pythonModule: string;
  readonly pythonIdentifier: string;
}

export interface SampleNetwork {
  readonly name: string;
  /** With the key in it; null where the network has no such address. */
  readonly http: string | null;
  readonly ws: string | null;
}

export interface SampleCall {
  readonly method: SampleMethod;
  /** As they go over the wire: an array, or an object where the method wants names. */
  readonly params: readonly Json[] | Readonly<Record<string, Json>>;
  readonly network: SampleNetwork | null;
}

export interface Sample {
  /** Stable: remembered as the reader's choice, and part of the element's id. */
  readonly id: string;
  readonly label: string;
  /** "bash", "typescript" or "python". */
  readonly language: string;
  readonly code: string;
}

/** Writes the code of a call, or null where the language cannot make it. */
export type Writer = (call: SampleCall) => string | null;
