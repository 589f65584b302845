/** A violation of the document by params or a result. */
export interface Violation {
  /** JSON pointer (RFC 6901) into the params or the result: "/1/filters/0/memcmp". */
  readonly pointer: string;
  /** The parameter's name; null in a result, and when no parameter is declared at that position. */
  readonly param: string | null;
  /** The keyword of JSON Schema that failed. */
  readonly keyword: string;
  /** The expected value in words: "a 32-byte hash: 0x and 64 hexadecimal digits". */
  readonly expected: string;
  /** What is wrong and where, in one sentence without a full stop. */
  readonly message: string;
}

/** An error of a validator compiled with Specgate's keywords. */
export interface CompiledError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly propertyName?: string;
}

export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** The document's facts about each schema, by the path of the schema. */
export type Facts = Readonly<
  Record<
    string,
    { readonly expected?: string; readonly about?: string; readonly keys?: readonly string[] }
  >
>;

/** An explained error. */
export interface Finding {
  /** JSON pointer (RFC 6901) into the value. */
  readonly path: string;
  readonly keyword: string;
  readonly expected: string;
  readonly problem: string;
  /** The problem, and the text that the value was probably meant to be. */
  readonly what: string;
  /** The allowed text that the value was probably meant to be. */
  readonly meant: string | null;
}

export interface Validated {
  readonly facts: Facts;
  readonly value: unknown;
  /** Maximum number of findings; 20 by default. */
  readonly most?: number;
}

export function findingsOf(
  errors: readonly CompiledError[],
  validated: Validated,
): readonly Finding[];

export interface Labelled extends Validated {
  /** Name of the value in messages. */
  readonly label: string;
  /** Pointer to the value, prepended to every violation's pointer. */
  readonly pointer: string;
  readonly param: string | null;
}

export function violationsOf(
  errors: readonly CompiledError[],
  validated: Labelled,
): readonly Violation[];
