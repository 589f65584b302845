import type { Json, JsonObject } from '../../common/json/value.ts';
import type { VerifiedMethod } from './contract.ts';
import type { Seeds } from './seeds.ts';

/** Returns valid params of a method: of its first example, or made from its schemas. */
export function baseParams(method: VerifiedMethod, seeds: Seeds): Json | undefined {
  const shown = method.examples.find(
    ({ params, error }) => error === undefined && method.refuses(params) === undefined,
  );
  if (shown !== undefined) return shown.params;
  const last = method.params.findLastIndex(({ required }) => required);
  const values = method.params.slice(0, last + 1).map(({ schema }) => seeds.make(schema));
  if (values.includes(undefined)) return undefined;
  const params = structured(method, values as Json[]);
  return method.refuses(params) === undefined ? params : undefined;
}

/** Returns values of the first params in the structure that a method takes. */
export function structured(
  { params, paramStructure }: VerifiedMethod,
  values: readonly Json[],
): Json {
  if (paramStructure !== 'by-name') return values;
  return Object.fromEntries(values.map((value, index) => [params[index]!.name, value]));
}

interface OtherParam {
  readonly base: Json;
  readonly index: number;
  readonly value: Json;
}

/** Returns params with another value of one parameter; omitted ones before it are filled in. */
export function withParam(
  seeds: Seeds,
  { params }: VerifiedMethod,
  { base, index, value }: OtherParam,
): Json {
  if (!Array.isArray(base)) return { ...(base as JsonObject), [params[index]!.name]: value };
  const given = base as readonly Json[];
  const missing = params.slice(given.length, index);
  const list = [...given, ...missing.map(({ schema }) => seeds.make(schema) ?? null)];
  return Object.assign(list, { [index]: value }) as readonly Json[];
}
