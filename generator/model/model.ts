import type { Json, JsonObject, Schema } from '../../common/json/value.ts';

/**
 * The input of the targets: one OpenRPC document, bundled, resolved and named.
 *
 * Every object and array in it is frozen, every list is in the document's order, and every
 * `pointer` is an RFC 6901 JSON pointer into `document`. A `$ref` to a content descriptor, error,
 * example or tag is already followed; a `$ref` inside a JSON Schema is kept, and always reads
 * `#/components/schemas/<key>`, where `<key>` is a key of `schemas`.
 */
export interface Model {
  /** Version of the OpenRPC specification the document follows, such as "1.3.2". */
  readonly openrpc: string;
  /** The bundled document, without references to other documents. */
  readonly document: JsonObject;
  /** URL the document was downloaded from, the base of relative server URLs; null for a file. */
  readonly location: string | null;
  /** Name of the generated packages, with npm's scope; null to derive it from the title. */
  readonly packageName: string | null;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: JsonObject | null;
    readonly contact: JsonObject | null;
    readonly termsOfService: string | null;
  };
  readonly servers: readonly JsonObject[];
  readonly externalDocs: JsonObject | null;
  readonly methods: readonly MethodModel[];
  /** By the document's own key in `components.schemas`. */
  readonly schemas: ReadonlyMap<string, SchemaModel>;
  /**
   * The type names of schemas without a name of their own, such as an object in a param, derived from the
   * place where they are written. The same in all languages.
   */
  readonly inlineTypes: ReadonlyMap<JsonObject, string>;
  /** The error catalog: the rows of `x-errors`, then errors that only methods declare. */
  readonly errors: readonly ErrorModel[];
  /** The document's `x-` members. */
  readonly extensions: JsonObject;
}

/** A component schema under its own name. */
export interface SchemaModel {
  /** The document's key. */
  readonly name: string;
  /** The exported TypeScript type: the key itself if it is a valid name. */
  readonly typeName: string;
  readonly pointer: string;
  readonly schema: Schema;
}

/** The text members that many objects of OpenRPC share, "" where omitted. */
export interface Described {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
}

/** Its name is the JSON-RPC method name, such as "eth_getProof". */
export interface MethodModel extends Described {
  /** PascalCase, unique among all type names: "EthGetProof". */
  readonly typeName: string;
  /** The exported types of the parameters and the result: "EthGetProofParams", "EthGetProofResult". */
  readonly paramsType: string;
  readonly resultType: string;
  /** camelCase, unique among the methods, safe as a member of an object or class: "ethGetProof". */
  readonly identifier: string;
  readonly pointer: string;
  readonly params: readonly ParamModel[];
  readonly paramStructure: 'by-position' | 'by-name' | 'either';
  /** null for a notification, which has no response. */
  readonly result: ResultModel | null;
  readonly errors: readonly MethodErrorModel[];
  readonly tags: readonly Described[];
  readonly externalDocs: JsonObject | null;
  readonly deprecated: boolean;
  readonly servers: readonly JsonObject[];
  readonly examples: readonly ExampleModel[];
  /** The method's `x-` members. */
  readonly extensions: JsonObject;
}

export interface ResultModel extends Described {
  readonly schema: Schema;
  readonly pointer: string;
}

/** Its name, that of the content descriptor, is also the key when params are passed by name. */
export interface ParamModel extends ResultModel {
  /** camelCase, unique in the method, usable as the name of a function's parameter. */
  readonly identifier: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly extensions: JsonObject;
}

/** An error as a method declares it. */
export interface MethodErrorModel {
  /** Key in `components.errors`; null when the method declares the error in place. */
  readonly name: string | null;
  readonly code: number;
  readonly message: string;
  readonly data: Json | undefined;
  readonly pointer: string;
}

/** A row of the error catalog. Members that the document omits are null. */
export interface ErrorModel {
  /** Unique in the catalog: the row's name, or PascalCase of the error's key or message. */
  readonly name: string;
  /** Key in `components.errors` of the error that the row is a case of. */
  readonly error: string | null;
  readonly code: number;
  readonly message: string;
  readonly reason: string | null;
  readonly origin: string | null;
  /** HTTP status. */
  readonly status: number | null;
  readonly charged: boolean | null;
  readonly retryable: boolean | null;
  readonly cause: string | null;
  readonly fix: string | null;
  /** JSON Schema of the error object's `data`. */
  readonly data: Schema | null;
  readonly pointer: string;
}

/** An example pairing; `result` is null for a notification or an error. */
export interface ExampleModel extends Described {
  readonly params: readonly ExampleValue[];
  readonly result: ExampleValue | null;
  readonly pointer: string;
  readonly extensions: JsonObject;
}

export interface ExampleValue {
  readonly name: string;
  /** undefined when the value is external (`externalValue`) or missing. */
  readonly value: Json | undefined;
}
