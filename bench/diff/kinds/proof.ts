/**
 * Looks for a call that one document accepts and another refuses, or a result that one allows and the
 * other does not, knowing nothing of the comparer: schemas are checked by Ajv.
 */
import type { Json } from '../../../common/json/value.ts';
import { componentsOf } from '../confirm.ts';
import type { PlainDocument, PlainMethod, PlainParam } from '../corpus.ts';
import { instanceOf, type Components, type Schema } from '../instances/instances.ts';
import { compileIn, searchWith, type Validate } from '../instances/search.ts';
import { deref } from '../mutation.ts';
import type { Graft } from './graft.ts';

interface Search {
  readonly chance: () => number;
  /** Calls and values tried, at most. */
  readonly tries: number;
}

/** Returns whether some call of the older document, or some result of the newer one, breaks the other. */
export function breaksCallers({ old, new: fresh, methods }: Graft, search: Search): boolean {
  const sides = [serviceOf(old), serviceOf(fresh)] as const;
  return methods.some((name) => {
    const [was, is] = sides.map((side) => side.methodOf(name));
    return (
      was !== undefined &&
      was !== null &&
      (losesCall(was, is ?? null, search) || gainsResult(was, is ?? null, search))
    );
  });
}

/** Returns calls that a document accepts: params as a list or as an object. */
export function validCalls(
  document: PlainDocument,
  name: string,
  { chance, tries }: Search,
): readonly Json[] {
  const method = serviceOf(document).methodOf(name);
  if (method === null) return [];
  const calls = Array.from({ length: tries }, () => callOf(method, chance));
  return calls
    .filter((call) => accepts(method, call))
    .map((call) => (Array.isArray(call) ? call : Object.fromEntries(call as Map<string, Json>)));
}

interface Part {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly isValid: Validate;
}

interface Method {
  readonly params: readonly Part[];
  readonly structure: string;
  readonly result: Part | null;
  readonly components: Components;
}

function serviceOf(document: PlainDocument) {
  const components = componentsOf(document);
  const compile = compileIn(components);
  const partOf = (value: unknown): Part => {
    const { name, required = false, schema = true } = deref(document, value) as PlainParam;
    return { name, required, schema: schema as Schema, isValid: compile(schema as Schema) };
  };
  return {
    methodOf(name: string): Method | null {
      const method = document.methods.find((each) => each.name === name);
      return method === undefined ? null : readMethod(method);
    },
  };
  function readMethod(method: PlainMethod): Method {
    return {
      params: method.params.map(partOf),
      structure: String(method['paramStructure'] ?? 'either'),
      result: method['result'] === undefined ? null : partOf(method['result']),
      components,
    };
  }
}

function losesCall(was: Method, is: Method | null, search: Search): boolean {
  const { chance, tries } = search;
  for (let count = 0; count < tries; count += 1) {
    const call = callOf(was, chance);
    if (accepts(was, call) && !(is !== null && accepts(is, call))) return true;
  }
  return (
    is !== null && was.params.some((param, index) => losesValue({ was, is, param, index }, search))
  );
}

interface ParamSearch {
  readonly was: Method;
  readonly is: Method;
  readonly param: Part;
  readonly index: number;
}

/** Searches a value of one parameter, which random calls rarely have. */
function losesValue({ was, is, param, index }: ParamSearch, search: Search): boolean {
  const isNamed = was.structure === 'by-name';
  const other = isNamed ? is.params.find(({ name }) => name === param.name) : is.params[index];
  if (other === undefined) return false;
  const sides = {
    inner: { ...param, components: was.components },
    outer: { ...other, components: is.components },
  };
  return searchWith(sides, search) !== undefined;
}

type Call = readonly Json[] | ReadonlyMap<string, Json>;

/** A call as often by position as by name. */
function callOf({ params, components }: Method, chance: () => number): Call {
  const valueOf = ({ schema }: Part) => instanceOf({ chance, components }, schema);
  const firstOptional = params.findLastIndex(({ required }) => required) + 1;
  const sent = firstOptional + Math.floor(chance() * (params.length - firstOptional + 1));
  const given = params.slice(0, sent);
  return chance() < 0.5
    ? given.map(valueOf)
    : new Map(given.map((param) => [param.name, valueOf(param)]));
}

function accepts({ params, structure }: Method, call: Call): boolean {
  const isList = Array.isArray(call);
  // Without params, neither structure is used.
  if ((call as Json[]).length === 0 || (call as Map<string, Json>).size === 0)
    return params.every(({ required }) => !required);
  if (structure === (isList ? 'by-name' : 'by-position')) return false;
  const values = params.map(({ name }, index) =>
    isList ? (call as readonly Json[])[index] : (call as ReadonlyMap<string, Json>).get(name),
  );
  const given = isList ? call.length : (call as ReadonlyMap<string, Json>).size;
  const taken = values.filter((value) => value !== undefined).length;
  return (
    given === taken &&
    params.every(({ required, isValid }, index) =>
      values[index] === undefined ? !required : isValid(values[index]) === true,
    )
  );
}

/** Whether the newer document allows a result that the older one does not, or no result at all. */
function gainsResult(was: Method, is: Method | null, search: Search): boolean {
  if (is === null || was.result === null) return false;
  if (is.result === null) return true;
  const sides = {
    inner: { ...is.result, components: is.components },
    outer: { ...was.result, components: was.components },
  };
  return searchWith(sides, search) !== undefined;
}
