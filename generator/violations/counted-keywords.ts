import type { Ajv, CodeKeywordDefinition } from 'ajv';
import { _, operators, type Code } from 'ajv/dist/compile/codegen/index.js';
import { listed, ucs2length } from '../../common/validators-runtime/helpers.js';
import { helper } from './keywords.ts';
import { MIN_LOOKED_UP } from './schema-work.ts';

/**
 * Makes an Ajv instance look up values in long enumerations, and count the work of measuring texts. Ajv
 * itself compares a value with all those of an enumeration.
 */
export function countKeywords(ajv: Ajv): void {
  const definition = ajv.getKeyword('enum') as CodeKeywordDefinition;
  const compare = definition.code;
  definition.code = (cxt, ruleType) => {
    const { gen, schema, schemaCode, data } = cxt;
    if ((schema as readonly unknown[]).length < MIN_LOOKED_UP) compare(cxt, ruleType);
    else cxt.pass(_`${helper(gen, listed)}(${schemaCode}, ${data})`);
  };
  limitLength(ajv, 'maxLength', operators.GT);
  limitLength(ajv, 'minLength', operators.LT);
}

function limitLength(ajv: Ajv, keyword: string, isWrong: Code): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  definition.code = (cxt) => {
    const { gen, schemaCode, data } = cxt;
    cxt.fail(_`${helper(gen, ucs2length)}(${data}) ${isWrong} ${schemaCode}`);
  };
}
