import type { Ajv, CodeKeywordDefinition } from 'ajv';
import { _, not } from 'ajv/dist/compile/codegen/index.js';
import { allSchemaProperties, usePattern } from 'ajv/dist/vocabularies/code.js';

/** Patterns above which the names of members are tested by a statement for each. */
const MANY_PATTERNS = 100;

/**
 * Lets `additionalProperties` test very many `patternProperties` one after the other. Ajv joins the tests in
 * one nested expression: to write it takes time with the square of their number, and to parse it overflows
 * the stack.
 */
export function splitPatternTests(ajv: Ajv): void {
  const definition = ajv.getKeyword('additionalProperties') as CodeKeywordDefinition;
  const compile = definition.code;
  definition.code = (cxt, ruleType) => {
    const { gen, parentSchema } = cxt;
    const { patternProperties, ...others } = parentSchema;
    const patterns = allSchemaProperties(patternProperties as Record<string, object> | undefined);
    if (patterns.length <= MANY_PATTERNS) return compile(cxt, ruleType);
    const { forIn } = gen;
    gen.forIn = (name, object, body) =>
      forIn.call(gen, name, object, (member) => {
        const isMatched = gen.let('isMatched', false);
        for (const pattern of patterns) {
          gen.assign(isMatched, _`${isMatched} || ${usePattern(cxt, pattern)}.test(${member})`);
        }
        gen.if(not(isMatched), () => body(member));
      });
    Object.assign(cxt, { parentSchema: others });
    compile(cxt, ruleType);
    Object.assign(cxt, { parentSchema });
    gen.forIn = forIn;
    return undefined;
  };
}
