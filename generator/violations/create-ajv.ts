import { Ajv, type CodeOptions } from 'ajv';
import type { Json, Schema } from '../../common/json/value.ts';
import {
  findingsOf,
  type CompiledError,
  type CompiledValidator,
  type Facts,
  type Finding,
} from '../../common/validators-runtime/violations.js';
import { boundLoops } from './bounded-loops.ts';
import { splitPatternTests } from './pattern-tests.ts';
import { countKeywords } from './counted-keywords.ts';
import { factsOf } from './facts.ts';
import { keywords } from './keywords.ts';
import { linearPattern } from './linear-pattern.ts';
import { countingWork } from './schema-work.ts';
import { declareInLinearTime } from './scope-references.ts';
import { splitFunctions } from './split-functions.ts';
import { formats } from '../../common/validators-runtime/formats.js';
import { validateBounded } from '../../common/validators-runtime/helpers.js';

interface AjvOptions {
  readonly code?: CodeOptions;
  /** True when a schema has a property with the name of an inherited one, such as "constructor". */
  readonly ownProperties?: boolean;
  /** Formats to check in addition to Specgate's own. */
  readonly formats?: Readonly<Record<string, (text: string) => boolean>>;
  /** Number of errors after which further elements or members are not checked, instead of a low one. */
  readonly maxErrorsInLoop?: number;
}

/** A schema to compile. Its references are ids of other inputs. */
export interface CompilerInput {
  readonly id: string;
  readonly schema: Schema;
}

/**
 * Creates Ajv 8 for JSON Schema draft-07 and compiles the schemas in order. Validators report every
 * error in the form that `common/validators-runtime/violations.js` reads.
 *
 * @throws Error when Ajv cannot compile a schema
 */
export function createAjv(inputs: readonly CompilerInput[], options: AjvOptions = {}): Ajv {
  const { code = {}, ownProperties = false, maxErrorsInLoop } = options;
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    messages: false,
    inlineRefs: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    ownProperties,
    formats: { ...formats, ...options.formats },
    code: {
      // Optimization takes a third of the compile time, and V8 does it again for what is called.
      optimize: false,
      ...code,
      regExp: Object.assign(linearPattern.bind(null), { code: 'pattern' }),
    },
  });
  for (const definition of keywords) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
  splitPatternTests(ajv);
  boundLoops(ajv, maxErrorsInLoop);
  countKeywords(ajv);
  declareInLinearTime(ajv);
  splitFunctions(ajv);
  for (const input of inputs) addSchema(ajv, input);
  for (const { id } of inputs) ajv.getSchema(id);
  return ajv;
}

export function addSchema(ajv: Ajv, { id, schema }: CompilerInput): void {
  ajv.addSchema(countingWork(schema) as object, id);
  // Puts the schema's id into the path of its errors.
  ajv.schemas[id]!.schemaPath = `${id}#`;
}

interface CheckOptions extends AjvOptions {
  readonly maxFindings: number;
  /** The facts to use in messages, by default all of them. */
  readonly facts?: Facts;
}

/**
 * Compiles a check of values against the schema `id` of `inputs`.
 *
 * @throws Error when Ajv cannot compile a schema
 */
export function createCheck(
  inputs: readonly CompilerInput[],
  id: string,
  { maxFindings, facts = factsOfAll(inputs), ...options }: CheckOptions,
): (value: Json) => readonly Finding[] {
  const validate = createAjv(inputs, options).getSchema(id) as CompiledValidator;
  return (value) => {
    const errors = errorsOf(validate, value);
    return errors === null ? [] : findingsOf(errors, { facts, value, most: maxFindings });
  };
}

/**
 * Returns the errors of a value; null when it is valid or cannot be validated within bounds, for example
 * by a schema that refers to itself without a step into the value.
 */
export function errorsOf(
  validate: CompiledValidator,
  value: Json,
): readonly CompiledError[] | null {
  try {
    return validateBounded(validate, value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the facts of schemas and of everything below them, by Ajv's `schemaPath`. */
export function factsOfAll(inputs: readonly CompilerInput[]): Facts {
  return Object.fromEntries(inputs.flatMap(({ id, schema }) => [...factsOf(schema, `${id}#`)]));
}
