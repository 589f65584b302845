import type { Ajv, CodeKeywordDefinition } from 'ajv';
import { _, operators, type Code } from 'ajv/dist/compile/codegen/index.js';
import { equal, listed, memberCount, ucs2length } from '../../common/validators-runtime/helpers.js';
import { helper } from './keywords.ts';
import { MIN_LOOKED_UP } from './schema-work.ts';

/**
 * Makes an Ajv instance look up values in enumerations that are long or have objects, keep the texts of
 * constants that it compares, and count the work of measuring texts and objects. Ajv itself compares a
 * value with all those of an enumeration, and each of their members.
 */
export function countKeywords(ajv: Ajv): void {
  const definition = ajv.getKeyword('enum') as CodeKeywordDefinition;
  const compare = definition.code;
  definition.code = (cxt, ruleType) => {
    const { gen, schema, schemaCode, data } = cxt;
    const values = schema as readonly unknown[];
    const isShort = values.length < MIN_LOOKED_UP && !values.some(isObjectOrArray);
    if (isShort) return compare(cxt, ruleType);
    // Prepares the list for validators of this process: the first call should not wait for it.
    listed(values, null);
    cxt.pass(_`${helper(gen, listed)}(${schemaCode}, ${data})`);
  };
  const constant = ajv.getKeyword('const') as CodeKeywordDefinition;
  const compareConstant = constant.code;
  constant.code = (cxt, ruleType) => {
    const { gen, schema, schemaCode, data } = cxt;
    if (!isObjectOrArray(schema)) return compareConstant(cxt, ruleType);
    equal(schema as object, {});
    cxt.pass(_`${helper(gen, equal)}(${schemaCode}, ${data})`);
  };
  limitSize(ajv, 'maxLength', { measure: ucs2length, isWrong: operators.GT });
  limitSize(ajv, 'minLength', { measure: ucs2length, isWrong: operators.LT });
  limitSize(ajv, 'maxProperties', { measure: memberCount, isWrong: operators.GT });
  limitSize(ajv, 'minProperties', { measure: memberCount, isWrong: operators.LT });
}

function isObjectOrArray(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

interface Size {
  readonly measure: typeof ucs2length | typeof memberCount;
  readonly isWrong: Code;
}

function limitSize(ajv: Ajv, keyword: string, { measure, isWrong }: Size): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  definition.code = (cxt) => {
    const { gen, schemaCode, data } = cxt;
    cxt.fail(_`${helper(gen, measure)}(${data}) ${isWrong} ${schemaCode}`);
  };
}
