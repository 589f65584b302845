import { createHash } from 'node:crypto';
import { printMember } from '../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { canonicalValue } from '../containment/canonical.ts';
import type { ExampleModel, MethodModel } from '../model/model.ts';

/** An example pairing as a call with its expected response. */
export interface VerifiedExample {
  readonly name: string;
  readonly pointer: string;
  readonly params: Json;
  /** JSON text of the result, with all digits; undefined for an error. */
  readonly result: string | undefined;
  readonly error: JsonObject | undefined;
  /** Whether the response must equal this one; otherwise it only has to match the schema. */
  readonly isExact: boolean;
}

/** Which examples are used, and how closely a response has to match. */
export interface ExampleOptions {
  /** The network that the server runs (`x-network` of examples). */
  readonly network?: string | undefined;
  /** Whether responses equal those of the examples; by default as the document says. */
  readonly examples?: 'exact' | 'schema' | undefined;
}

/** Returns the examples of a method that can be sent to a server as they are. */
export function examplesOf(
  method: MethodModel,
  options: ExampleOptions,
): readonly VerifiedExample[] {
  return method.examples.flatMap((example) => describeExample(method, example, options));
}

/** Returns the examples; those with different results for the same params are marked as not exact. */
export function withoutRivals(examples: readonly VerifiedExample[]): readonly VerifiedExample[] {
  const keyOf = createKeys();
  const keys = examples.map(({ params }) => keyOf(params));
  const results = new Map<string, Set<string | undefined>>();
  for (const [index, { result }] of examples.entries()) {
    const key = keys[index]!;
    results.set(key, (results.get(key) ?? new Set()).add(result));
  }
  return examples.map((example, index) =>
    results.get(keys[index]!)!.size === 1 ? example : { ...example, isExact: false },
  );
}

/**
 * Creates a function that returns a short text that is equal for equal params. Many examples may share large
 * values, which are read once.
 */
function createKeys(): (params: Json) => string {
  const known = new WeakMap<object, string>();
  const keyOf = (value: Json): string => {
    const found = isContainer(value) ? known.get(value) : undefined;
    if (found !== undefined) return found;
    const key = createHash('sha256').update(canonicalValue(value)).digest('base64');
    if (isContainer(value)) known.set(value, key);
    return key;
  };
  return (params) => (Array.isArray(params) ? `[${params.map(keyOf).join()}]` : keyOf(params));
}

function isContainer(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null;
}

function describeExample(
  method: MethodModel,
  { name, pointer, params, result, extensions }: ExampleModel,
  { network, examples }: ExampleOptions,
): readonly VerifiedExample[] {
  const error = extensions['x-error'];
  const other = network !== undefined && (extensions['x-network'] ?? network) !== network;
  if (other || extensions['x-setup'] !== undefined) return [];
  const isError = isObject(error);
  if (!isError && result?.value === undefined) return [];
  const match = extensions['x-match'] ?? method.extensions['x-match'];
  const isExact = (examples ?? match) !== 'schema';
  return [
    {
      name,
      pointer,
      params: paramsOf(method, params),
      result: isError ? undefined : printMember(result!, 'value'),
      error: isError ? error : undefined,
      isExact,
    },
  ];
}

/** Returns the params of an example in the form that its method takes. */
function paramsOf(method: MethodModel, params: ExampleModel['params']): Json {
  const byName = new Map(params.map((param) => [param.name, param.value]));
  const areNamed = method.params.some(({ name }) => byName.has(name));
  if (method.paramStructure === 'by-name') {
    const given = areNamed
      ? params.map((param) => [param.name, param.value] as const)
      : params.map(({ value }, index) => [method.params[index]?.name ?? '', value] as const);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as JsonObject;
  }
  const values = areNamed
    ? method.params.map(({ name }) => byName.get(name))
    : params.map(({ value }) => value);
  return withoutOmitted(values);
}

/** Returns positional params up to the last one that is given, with null for omitted ones. */
export function withoutOmitted(values: readonly (Json | undefined)[]): readonly Json[] {
  const count = values.findLastIndex((value) => value !== undefined) + 1;
  return values.slice(0, count).map((value) => value ?? null);
}
