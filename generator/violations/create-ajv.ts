import { Ajv, type CodeOptions } from 'ajv';
import { keywords } from './keywords.ts';
import { formats } from './runtime/formats.js';
import { pattern } from './runtime/helpers.js';

export interface AjvOptions {
  readonly code?: CodeOptions;
  /** True where a schema has a property called like one that every object inherits. */
  readonly ownProperties?: boolean;
  /** Formats to check beside our own. */
  readonly formats?: Readonly<Record<string, (text: string) => boolean>>;
}

/**
 * Ajv 8 for JSON Schema draft-07, reporting every error in the way that
 * `runtime/violations.js` reads. Schemas refer to one another by id.
 */
export function createAjv(options: AjvOptions = {}): Ajv {
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
  return ajv;
}

function toRegExp(source: string, flags: string): RegExp {
  return pattern(source, flags);
}
