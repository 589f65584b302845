import { Ajv, type CodeOptions } from 'ajv';
import type { Schema } from '../../common/json/value.ts';
import { keywords } from './keywords.ts';
import { linearPattern, type Pattern } from './linear-pattern.ts';
import { formats } from '../../common/validators-runtime/formats.js';

interface AjvOptions {
  readonly code?: CodeOptions;
  /** True when a schema has a property with the name of an inherited one, such as "constructor". */
  readonly ownProperties?: boolean;
  /** Formats to check in addition to Specgate's own. */
  readonly formats?: Readonly<Record<string, (text: string) => boolean>>;
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
    // Puts the schema's id into the path of its errors.
    ajv.schemas[id]!.schemaPath = `${id}#`;
  }
  for (const { id } of inputs) ajv.getSchema(id);
  return ajv;
}

function toRegExp(source: string, flags: string): Pattern {
  return linearPattern(source, flags);
}
