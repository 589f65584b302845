import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import {
  _,
  Name,
  not,
  strConcat,
  type Code,
  type CodeGen,
} from 'ajv/dist/compile/codegen/index.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util.js';
import { validateTuple } from 'ajv/dist/vocabularies/applicator/items.js';
import { getValidate } from 'ajv/dist/vocabularies/core/ref.js';
import {
  append,
  countCall,
  countWork,
  duplicate,
} from '../../common/validators-runtime/helpers.js';

import { dependencies } from './dependencies.ts';
import { WORK } from './schema-work.ts';
import { inFunction, isLarge } from './split-functions.ts';

// Replacements for Ajv's own keywords with the same meaning. They report all errors in time and memory
// linear in the input, and an error of a union records its branches.

// The variables of every function Ajv compiles (ajv/lib/compile/names.ts).
const instancePath = new Name('instancePath');
const vErrors = new Name('vErrors');
const errors = new Name('errors');

// Ajv copies the list of errors at every call (quadratic time), and compiles references recursively
// (too deep for long chains of schemas).
const reference: CodeKeywordDefinition = {
  keyword: '$ref',
  schemaType: 'string',
  code(cxt: KeywordCxt) {
    const { gen, schema, data, it } = cxt;
    const validate = getValidate(cxt, it.self.schemas[schema as string]!);
    const path = strConcat(instancePath, it.errorPath);
    gen.code(_`${helper(gen, countCall)}();`);
    cxt.result(_`${validate}(${data}, {instancePath: ${path}})`, undefined, () => {
      const found = _`${validate}.errors`;
      const both = _`${helper(gen, append)}(${vErrors}, ${found})`;
      gen.assign(vErrors, _`${vErrors} === null ? ${found} : ${both}`);
      gen.assign(errors, _`${vErrors}.length`);
    });
  },
};

const items: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'array', 'boolean'],
  code(cxt: KeywordCxt) {
    const { gen, schema, data, it } = cxt;
    if (Array.isArray(schema)) return validateTuple(cxt, 'additionalItems', schema);
    if (alwaysValidSchema(it, schema)) return;
    const valid = gen.name('valid');
    const length = gen.const('len', _`${data}.length`);
    gen.forRange('i', 0, length, (index) => {
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, valid);
    });
  },
};

// Ajv compares every pair of elements.
const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  code(cxt: KeywordCxt) {
    if (cxt.schema === true) cxt.fail(_`${helper(cxt.gen, duplicate)}(${cxt.data}) !== null`);
  },
};

const work: CodeKeywordDefinition = {
  keyword: WORK,
  schemaType: 'number',
  code({ gen, schema }: KeywordCxt) {
    gen.code(_`${helper(gen, countWork)}(${schema as number})`);
  },
};

/** References a runtime function, under its own name in printed code. */
export function helper(gen: CodeGen, func: { readonly name: string }): Name {
  return gen.scopeValue('func', { ref: func, code: new Name(func.name) });
}

function union(keyword: 'oneOf' | 'anyOf'): CodeKeywordDefinition {
  return {
    keyword,
    schemaType: 'array',
    trackErrors: true,
    error: {
      message: '',
      params: ({ params }) => _`{branches: ${params['branches']}, passing: ${params['passing']}}`,
    },
    code: (cxt) => compileUnion(cxt, keyword),
  };
}

/** Branches of a very large union that share a function. */
const BRANCHES_PER_FUNCTION = 16;

/** Records the number of errors of each branch, and which branches passed. */
function compileUnion(cxt: KeywordCxt, keyword: 'oneOf' | 'anyOf'): void {
  const { gen, it } = cxt;
  const branches = cxt.schema as (object | boolean)[];
  if (keyword === 'anyOf' && branches.some((branch) => alwaysValidSchema(it, branch))) return;
  const valid = gen.let('valid', false);
  const passing = gen.let('passing', null);
  const isSplit = isLarge(cxt);
  const counts = isSplit ? countInList(gen) : countInVariables(gen, branches.length);
  const isValid = gen.name('_valid');
  const compileBranch = (index: number): void => {
    if (alwaysValidSchema(it, branches[index]!)) gen.var(isValid, true);
    else cxt.subschema({ keyword, schemaProp: index, compositeRule: true }, isValid);
    counts.note(index);
    if (keyword === 'anyOf') gen.assign(valid, isValid);
    else notePassing(cxt, { isValid, valid, passing, index });
  };
  const compileBranches = (first: number, end: number): void => {
    for (let index = first; index < end; index += 1) {
      // One after the other rather than within each other: a union may have thousands of branches.
      if (keyword === 'anyOf' && index > 0) gen.if(not(valid), () => compileBranch(index));
      else gen.block(() => compileBranch(index));
    }
  };
  const { length } = branches;
  const step = isSplit ? BRANCHES_PER_FUNCTION : length;
  for (let first = 0; first < length; first += step) {
    const compilePart = () => compileBranches(first, Math.min(length, first + step));
    if (isSplit) inFunction(gen, compilePart);
    else compilePart();
  }
  cxt.result(
    valid,
    () => cxt.reset(),
    () => {
      cxt.setParams({ branches: counts.list(), passing });
      cxt.error(true);
    },
  );
}

/** Code that counts the errors of each branch. */
interface BranchCounts {
  /** Generates what follows a branch. */
  note(index: number): void;
  /** Generates the list of the counts. */
  list(): Name;
}

function countInVariables(gen: CodeGen, length: number): BranchCounts {
  const start = gen.const('start', errors);
  const ends = Array.from({ length }, () => gen.let('end'));
  return {
    note: (index) => gen.assign(ends[index]!, errors),
    // Ajv's templates copy what they are made of.
    list: () => {
      const counts = ends.flatMap((end, index) => [end, ' - ', ends[index - 1] ?? start, ', ']);
      return gen.const('branches', new _Code(['[', ...counts.slice(0, -1), ']']));
    },
  };
}

function countInList(gen: CodeGen): BranchCounts {
  const end = gen.let('end', errors);
  const counts = gen.const('branches', _`[]`);
  return {
    note: () => {
      gen.code(_`${counts}.push(${errors} - ${end})`);
      gen.assign(end, errors);
    },
    list: () => counts,
  };
}

function notePassing(
  { gen }: KeywordCxt,
  state: { isValid: Code; valid: Code; passing: Code; index: number },
): void {
  const { isValid, valid, passing, index } = state;
  gen.if(_`${isValid}`, () => {
    gen.code(_`${passing} = ${passing} === null ? ${index} : [${passing}, ${index}];`);
    gen.code(_`${valid} = typeof ${passing} === "number";`);
  });
}

/** The keywords that replace Ajv's own. */
export const keywords: readonly CodeKeywordDefinition[] = [
  reference,
  items,
  uniqueItems,
  dependencies,
  work,
  union('oneOf'),
  union('anyOf'),
];
