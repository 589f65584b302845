import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { _, type CodeGen, type Name, nil } from 'ajv/dist/compile/codegen/index.js';
import type { Schema } from '../../common/json/value.ts';
import { schemasIn } from '../schema/subschemas.ts';

/** Keywords with any number of schemas. Unions and loops over members are split by their own code. */
const KEYWORDS = ['allOf', 'items', 'properties', 'dependencies'];

/** Schemas with fewer parts compile to one function. */
const MIN_PARTS = 1_000;

const largeSchemas = new WeakMap<object, boolean>();

/**
 * Makes an Ajv instance compile the parts of very large schemas to functions of their own. All variables of
 * a function are on the stack at once, so one for tens of thousands of parts could not be called.
 */
export function splitFunctions(ajv: Ajv): void {
  for (const keyword of KEYWORDS) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    const compile = definition.code;
    definition.code = (cxt, ruleType) => {
      if (isLarge(cxt)) splitSubschemas(cxt);
      compile(cxt, ruleType);
    };
  }
}

/** Checks whether a keyword is part of a very large schema. */
export function isLarge({ it }: KeywordCxt): boolean {
  const schema = it.schemaEnv.schema as Schema;
  if (typeof schema === 'boolean') return false;
  const known = largeSchemas.get(schema);
  if (known !== undefined) return known;
  let parts = 0;
  for (const _part of schemasIn(schema)) parts += 1;
  const isOne = parts >= MIN_PARTS;
  largeSchemas.set(schema, isOne);
  return isOne;
}

/** Declares a function of what `generate` generates, and calls it. */
export function inFunction(gen: CodeGen, generate: () => void): void {
  const name = gen.name('part');
  gen.func(name, nil, false, generate);
  gen.code(_`${name}()`);
}

function splitSubschemas(cxt: KeywordCxt): void {
  const { gen } = cxt;
  const subschema = cxt.subschema.bind(cxt);
  cxt.subschema = (applied, valid) => {
    let context: ReturnType<typeof subschema>;
    const name = gen.name('part');
    gen.func(name, nil, false, () => {
      context = subschema(applied, valid);
      gen.return(valid);
    });
    gen.code(_`var ${valid as Name} = ${name}()`);
    return context!;
  };
}
