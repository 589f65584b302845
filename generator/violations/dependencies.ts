import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { _, type Name, stringify } from 'ajv/dist/compile/codegen/index.js';
import { noPropertyInData, propertyInData } from 'ajv/dist/vocabularies/code.js';
import { validateSchemaDeps } from 'ajv/dist/vocabularies/applicator/dependencies.js';

/**
 * The keyword `dependencies`, with its lists of names as data. Ajv writes code for each name, and the whole
 * list into the code of each: the square of its length.
 */
export const dependencies: CodeKeywordDefinition = {
  keyword: 'dependencies',
  type: 'object',
  schemaType: 'object',
  error: {
    message: '',
    params: ({ params: { property, missingProperty } }) =>
      _`{property: ${property}, missingProperty: ${missingProperty}}`,
  },
  code(cxt) {
    // As in all maps of schemas, Ajv skips a property with this name.
    const entries = Object.entries(cxt.schema as object).filter(([key]) => key !== '__proto__');
    const isList = ([, value]: [string, unknown]) => Array.isArray(value);
    const lists = entries.filter((each) => isList(each) && (each[1] as unknown[]).length > 0);
    if (lists.length > 0) checkLists(cxt, lists as [string, readonly string[]][]);
    validateSchemaDeps(cxt, Object.fromEntries(entries.filter((each) => !isList(each))));
  },
};

function checkLists(
  cxt: KeywordCxt,
  lists: readonly (readonly [property: string, required: readonly string[]])[],
): void {
  const { gen, data, it } = cxt;
  const { ownProperties } = it.opts;
  const table = gen.scopeValue('schema', { ref: lists, code: stringify(lists) });
  gen.forOf('list', table, (list) => {
    const property = gen.const('property', _`${list}[0]`);
    gen.if(propertyInData(gen, data as Name, property, ownProperties), () => {
      gen.forOf('missing', _`${list}[1]`, (missingProperty) => {
        gen.if(noPropertyInData(gen, data as Name, missingProperty, ownProperties), () => {
          cxt.setParams({ property, missingProperty });
          cxt.error();
        });
      });
    });
  });
}
