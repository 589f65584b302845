import type { ExactJson } from '../json/exact.ts';

/** JSON with bigints for integers beyond 2^53. */
export type Json = ExactJson;

export interface SampleMethod {
  readonly name: string;
  /** "evm", "svm", or null when the document does not say. */
  readonly family: string | null;
  /** "http" and "websocket"; empty when the document does not say. */
  readonly transports: readonly string[];
  /** Calls through the generated clients. */
  readonly samples: readonly SampleTemplate[];
}

export interface SampleNetwork {
  readonly name: string;
  /** URLs with the API key; null when the network has none. */
  readonly http: string | null;
  readonly ws: string | null;
}

export interface SampleCall {
  readonly method: SampleMethod;
  /** As sent: an array, or an object for params by name. */
  readonly params: readonly Json[] | Readonly<Record<string, Json>>;
  readonly network: SampleNetwork | null;
}

/** The code of one call in one language. */
export interface Sample {
  /** Stable: stored as the reader's choice, and part of the element's id. */
  readonly id: string;
  readonly label: string;
  /** Name of the grammar that highlights it. */
  readonly language: string;
  readonly code: string;
}

/**
 * The code of a call as data, so that the browser can fill in other params: text and slots. `url` is
 * the network's URL, `arguments` are the params as arguments, `params` are the params as one value.
 */
export interface SampleTemplate extends Omit<Sample, 'code'> {
  readonly syntax: LiteralSyntax;
  readonly code: SampleCode;
  /** The code for params by name, if it differs. */
  readonly codeByName?: SampleCode;
}

export type SampleCode = readonly (
  | string
  | { readonly slot: 'url' | 'arguments' | 'params'; readonly indent?: string }
)[];

/** How a language writes JSON values. */
export interface LiteralSyntax {
  readonly words: Readonly<Record<'null' | 'true' | 'false', string>>;
  readonly quote: "'" | '"';
  /** Whether "\U0001f600" rather than a surrogate pair escapes a character beyond U+FFFF. */
  readonly hasLongEscapes: boolean;
  readonly braces: readonly [open: string, close: string];
  /** Whether members that are identifiers are written without quotes. */
  readonly hasBareKeys: boolean;
  readonly indent: string;
  /** Suffix of integers beyond 2^53; null when such calls have no sample. */
  readonly wideSuffix: string | null;
}
