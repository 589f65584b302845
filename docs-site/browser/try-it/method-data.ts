import type { Json, SampleMethod } from '../../../common/samples/sample.ts';
import type { Schema } from './schema/schema.ts';

/** The data file of a method page (docs-site/README.md). */
export interface MethodData extends SampleMethod {
  readonly paramStructure: 'by-position' | 'by-name' | 'either';
  readonly params: readonly ParamData[];
  /** Null for a notification. */
  readonly result: { readonly name: string; readonly schema: Schema } | null;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
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
