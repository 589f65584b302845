/** One thing that is wrong with a method's params or result. */
export interface Violation {
  /** RFC 6901, into the params or the result: "/1/filters/0/memcmp". */
  readonly pointer: string;
  /** The parameter's name; null in a result, and where no parameter has the place. */
  readonly param: string | null;
  /** The keyword of JSON Schema that failed. */
  readonly keyword: string;
  /** What would have been right, for a reader: "a 32-byte hash: 0x and 64 hexadecimal digits". */
  readonly expected: string;
  /** What is wrong and where, as one sentence without a full stop. */
  readonly message: string;
}

/** An error as compiled by Ajv with the keywords of this generator. */
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

/** What the document says of a schema, by the path of the schema. */
export type Facts = Readonly<
  Record<
    string,
    { readonly expected?: string; readonly about?: string; readonly keys?: readonly string[] }
  >
>;

/** What an error comes to. */
export interface Finding {
  /** RFC 6901, into the value. */
  readonly path: string;
  readonly keyword: string;
  readonly expected: string;
  readonly what: string;
}

export interface Validated {
  readonly facts: Facts;
  readonly value: unknown;
  /** How many findings are wanted; 20 unless said. */
  readonly most?: number;
}

export function findingsOf(
  errors: readonly CompiledError[],
  validated: Validated,
): readonly Finding[];

export interface Labelled extends Validated {
  /** What the value is called in messages. */
  readonly label: string;
  /** Pointer to the value, in front of every violation's. */
  readonly pointer: string;
  readonly param: string | null;
}

export function violationsOf(
  errors: readonly CompiledError[],
  validated: Labelled,
): readonly Violation[];
