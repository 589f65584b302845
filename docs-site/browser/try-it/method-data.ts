import type { Json, SampleMethod } from '../../../common/samples/sample.ts';
import type { Schema } from './schema/schema.ts';

/** Component schemas by name, from the files that a method names. */
export type Components = Readonly<Record<string, Schema>>;

/** The data file of a method page (docs-site/README.md). */
export interface MethodData extends SampleMethod {
  readonly paramStructure: 'by-position' | 'by-name' | 'either';
  readonly params: readonly ParamData[];
  readonly isNotification: boolean;
  /** Paths of the files with the component schemas that the params use. */
  readonly schemas: readonly string[];
  readonly examples: readonly ExampleData[];
  readonly errors: readonly ErrorData[];
  readonly credits: number | null;
}

export interface ParamData {
  readonly name: string;
  readonly required: boolean;
  readonly summary: string;
  readonly schema: Schema;
}

export type Params = readonly Json[] | Readonly<Record<string, Json>>;

export interface ExampleData {
  readonly name: string;
  readonly network: string | null;
  readonly params: Params;
  readonly error: object | null;
}

/** A row of the document's error catalog. */
export interface ErrorData {
  readonly name: string;
  readonly code: number;
  readonly reason: string | null;
  readonly message: string;
  readonly cause: string | null;
  readonly fix: string | null;
  readonly retryable: boolean | null;
  readonly charged: boolean | null;
}
