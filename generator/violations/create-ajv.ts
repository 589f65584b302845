import { Ajv, type CodeOptions } from 'ajv';
import type { Schema } from '../../common/json/value.ts';
import { keywords } from './keywords.ts';
import { linearPattern, type Pattern } from './linear-pattern.ts';
import { formats } from '../../common/validators-runtime/formats.js';

export interface AjvOptions {
  readonly code?: CodeOptions;
  /** True where a schema has a property called like one that every object inherits. */
  readonly ownProperties?: boolean;
  /** Formats to check beside our own. */
  readonly formats?: Readonly<Record<string, (text: string) => boolean>>;
}

/** A schema to compile, which refers to others by their id. */
export interface CompilerInput {
  readonly id: string;
  readonly schema: Schema;
}

/**
 * Ajv 8 for JSON Schema draft-07 with these schemas compiled, in this order, reporting every error
 * in the way that `runtime/violations.js` reads.
 *
 * @throws Error when Ajv cannot compile a schema
 */
export function createAjv(inputs: readonly CompilerInput[], options: AjvOptions = {}): Ajv {
  const { code = {}, ownProperties = false } = options;
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
    code: { ...code, regExp: Object.assign(toRegExp, { code: 'pattern' }) },
  });
  for (const definition of keywords) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
  for (const { id, schema } of inputs) {
    ajv.addSchema(schema as object, id);
    // Makes the path in an error say which schema it is of.
    ajv.schemas[id]!.schemaPath = `${id}#`;
  }
  for (const { id } of inputs) ajv.getSchema(id);
  return ajv;
}

function toRegExp(source: string, flags: string): Pattern {
  return linearPattern(source, flags);
}
