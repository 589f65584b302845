import type { Ajv, CodeKeywordDefinition } from 'ajv';
import { _, CodeGen, Name } from 'ajv/dist/compile/codegen/index.js';
import { resetErrorsCount } from 'ajv/dist/compile/errors.js';
import { countWork, memberCount } from '../../common/validators-runtime/helpers.js';
import { helper } from './keywords.ts';
import { workInLoop } from './schema-work.ts';
import { inFunction, isLarge } from './split-functions.ts';

/**
 * Elements and members after this many errors in an array or object are not checked: a value can have
 * hundreds of thousands, and an error takes far more time than the bytes it is about.
 */
const MAX_ERRORS_IN_LOOP = 100;

/** After this many errors of a schema, each further loop ends at its first: there may be thousands. */
const MAX_ERRORS = 10_000;

/** Keywords that check every element or member, and end after enough errors. */
const ENDING = [
  'items',
  'additionalItems',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
];

/**
 * Drops the errors of each element: one element may match, and if no element does, its own error says so.
 * Schemas with very many `contains` would otherwise collect very many errors that are not shown.
 */
const DROPPING = 'contains';

/** The count of errors in every function Ajv compiles (ajv/lib/compile/names.ts). */
const errors = new Name('errors');

type Compile = CodeKeywordDefinition['code'];

/** Limits the errors of each loop that the keywords of an Ajv instance compile to, and counts its work. */
export function boundLoops(ajv: Ajv, maxErrors = MAX_ERRORS_IN_LOOP): void {
  const bound = (keyword: string, afterEach: AfterEach): void => {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    definition.code = bounded(definition.code, afterEach, keyword === 'patternProperties');
  };
  for (const keyword of ENDING) bound(keyword, endAfter(maxErrors));
  bound(DROPPING, resetErrorsCount);
}

/** Adds code after each element or member; `before` is the count of errors before the loop. */
type AfterEach = (gen: CodeGen, before: Name) => void;

/** Ends a loop after `maxErrors` of its own, or at its first error after too many of the schema. */
function endAfter(maxErrors: number): AfterEach {
  const most = Math.max(maxErrors, MAX_ERRORS);
  return (gen, before) => {
    const isEnough = _`${errors} - ${before} > ${maxErrors} || ${errors} > ${most}`;
    gen.if(_`${errors} > ${before} && (${isEnough})`, () => gen.break());
  };
}

function bounded(compile: Compile, afterEach: AfterEach, isByName: boolean): Compile {
  return (cxt, ruleType) => {
    const { gen, schema } = cxt;
    const applied = isByName ? Object.values(schema as object) : [schema];
    const work = Math.max(1, ...applied.map(workInLoop));
    const count = helper(gen, countWork);
    const original = { forIn: gen.forIn, forRange: gen.forRange };
    const boundedBody = (body: (name: Name) => void): ((name: Name) => void) => {
      const before = gen.const('before', errors);
      return (name) => {
        body(name);
        afterEach(gen, before);
      };
    };
    const loops = CodeGen.prototype;
    gen.forIn = (name, object, body) => {
      const loop = () => {
        const counted = boundedBody((member) => {
          gen.code(_`${count}(${work})`);
          body(member);
        });
        // To list the members takes long even if the loop ends at the first.
        gen.code(_`${helper(gen, memberCount)}(${object})`);
        loops.forIn.call(gen, name, object, counted);
      };
      if (isByName && isLarge(cxt)) inFunction(gen, loop);
      else loop();
      return gen;
    };
    gen.forRange = (name, from, to, body) => {
      gen.code(_`${count}(${work === 1 ? to : _`${work} * ${to}`})`);
      return loops.forRange.call(gen, name, from, to, boundedBody(body));
    };
    compile(cxt, ruleType);
    Object.assign(gen, original);
  };
}
