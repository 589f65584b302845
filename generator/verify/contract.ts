import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';
import { memberOf, valueAt } from '../../common/json/pointer.ts';
import { createValueChecker, type ValueChecker } from '../lint/value-checker.ts';
import { listRefs, numberAt, textAt } from '../model/member.ts';
import { readBehavior, type Behavior } from './behavior.ts';
import { immutabilityOf, type Immutability } from '../model/immutability.ts';
import type { ErrorModel, MethodModel, Model } from '../model/model.ts';
import { componentOf } from '../model/type-names.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';
import { createValidators } from '../targets/validators/in-process.ts';
import {
  examplesOf,
  withoutRivals,
  type ExampleOptions,
  type VerifiedExample,
} from './examples.ts';

/** What a document promises about its methods, as verification uses it. */
export interface Contract extends Behavior {
  readonly model: Model;
  readonly methods: readonly VerifiedMethod[];
  /** Methods that are not called. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Examples that are not valid for the schemas of their method, and are not called. */
  readonly contradictions: readonly string[];
  readonly errors: readonly ErrorModel[];
  /** Maximum number of calls in a batch (`x-limits.batchCalls`), or null. */
  readonly maxBatchCalls: number | null;
  /** Returns what is wrong with a value. */
  readonly check: ValueChecker;
  /** Returns the schema that a reference leads to, with its component name; or the schema itself. */
  resolve(schema: Schema): Resolved;
}

export interface Resolved {
  readonly schema: Schema;
  /** Key in `components.schemas`; null for a schema without a name. */
  readonly name: string | null;
}

export interface VerifiedMethod {
  readonly name: string;
  readonly pointer: string;
  readonly params: readonly VerifiedParam[];
  readonly paramStructure: MethodModel['paramStructure'];
  /** Null for a notification. */
  readonly result: Schema | null;
  /** Schemas of the result for some params (`x-result-cases`). */
  readonly cases: readonly ResultCase[];
  readonly errorCodes: ReadonlySet<number>;
  readonly examples: readonly VerifiedExample[];
  /** Credits of a call (`x-credits`), or null. */
  readonly cost: number | null;
  readonly links: readonly MethodLink[];
  /** When a result no longer changes (`x-immutable`); null: it may always change. */
  readonly immutable: Immutability | null;
  /** Returns the first reason why params are invalid; undefined if they are valid. */
  refuses(params: Json): string | undefined;
}

interface VerifiedParam {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface ResultCase {
  readonly when: JsonObject;
  readonly schema: Schema;
}

export interface MethodLink {
  readonly name: string;
  readonly pointer: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** `network` selects methods as well, by `x-network-family`. */
export interface ContractOptions extends ExampleOptions {
  /** Whether to call methods that change the server. */
  readonly writes: boolean;
  /** Names of the methods to call; all by default. `eth_*` stands for all that start with `eth_`. */
  readonly methods?: readonly string[] | undefined;
}

/** Reads from a model what verification needs. */
export function readContract(model: Model, options: ContractOptions): Contract {
  const { extensions, document } = model;
  const check = createValueChecker(document);
  const validators = createValidators(model);
  const family = familyOf(model, options.network);
  const all = [
    ...model.methods.map((method) => ({
      verified: describeMethod(model, method, {
        validate: validators.get(method.name)!.validateParams,
        options,
      }),
      family: textAt(method.extensions, 'x-network-family'),
      skip: reasonToSkip(model, method, options),
    })),
    ...serviceMethods(model).map((row) => ({ ...row, skip: undefined })),
  ].filter((each) => family === undefined || each.family === '' || each.family === family);
  const isChosen = nameMatcher(options.methods);
  const chosen = all.filter(({ verified }) => isChosen(verified.name));
  const called = chosen.filter(({ skip }) => skip === undefined).map(({ verified }) => verified);
  const isUsable = (method: VerifiedMethod, { params, result, error }: VerifiedExample): boolean =>
    error !== undefined ||
    (method.refuses(params) === undefined &&
      check(resultSchemaOf(method, params), JSON.parse(result!) as Json).length === 0);
  return {
    model,
    methods: called.map((method) => ({
      ...method,
      examples: withoutRivals(method.examples.filter((example) => isUsable(method, example))),
    })),
    contradictions: called.flatMap((method) =>
      method.examples
        .filter((example) => !isUsable(method, example))
        .map(({ name }) => `${method.name} "${name}"`),
    ),
    skipped: chosen.flatMap(({ verified: { name }, skip: reason }) =>
      reason === undefined ? [] : [{ name, reason }],
    ),
    errors: model.errors,
    ...readBehavior(extensions),
    maxBatchCalls: numberAt(objectAt(extensions, 'x-limits'), 'batchCalls'),
    check,
    resolve: (schema) => resolve(model, schema),
  };
}

function nameMatcher(patterns: readonly string[] | undefined): (name: string) => boolean {
  if (patterns === undefined) return () => true;
  return (name) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
}

/** Returns the family of a network: that of the methods with examples on it. */
function familyOf({ methods }: Model, network: string | undefined): string | undefined {
  if (network === undefined) return undefined;
  const method = methods.find(({ examples }) =>
    examples.some(({ extensions }) => extensions['x-network'] === network),
  );
  return method === undefined ? network : textAt(method.extensions, 'x-network-family');
}

function reasonToSkip(
  { methods }: Model,
  { result, extensions }: MethodModel,
  { writes }: ContractOptions,
): string | undefined {
  if (result === null) return 'a notification has no response';
  const marksReads = methods.some((each) => each.extensions['x-read-only'] === true);
  const isRead = extensions['x-read-only'] === true || (!marksReads && !isMarkedWrite(extensions));
  if (isRead || writes) return undefined;
  return 'not read-only (x-read-only, x-idempotent); pass --writes to call it';
}

function isMarkedWrite(extensions: JsonObject): boolean {
  return extensions['x-read-only'] === false || extensions['x-idempotent'] === false;
}

type Validate = (params: unknown) => readonly { readonly message: string }[];

function describeMethod(
  model: Model,
  method: MethodModel,
  { validate, options }: { readonly validate: Validate; readonly options: ContractOptions },
): VerifiedMethod {
  const { name, pointer, params, paramStructure, result, extensions } = method;
  return {
    name,
    pointer,
    params,
    paramStructure,
    result: result?.schema ?? null,
    cases: listAt(extensions, 'x-result-cases').flatMap(({ when, schema }) =>
      isObject(when) && isSchema(schema) ? [{ when, schema }] : [],
    ),
    errorCodes: new Set(method.errors.map(({ code }) => code)),
    examples: examplesOf(method, options),
    cost: numberAt(extensions, 'x-credits'),
    links: listRefs(model.document, `${pointer}/links`).map(({ value, pointer: at }) => ({
      name: textAt(value, 'name'),
      pointer: at,
      method: textAt(value, 'method') || name,
      params: objectAt(value, 'params'),
    })),
    immutable: immutabilityOf(method),
    refuses: (values) => validate(values)[0]?.message,
  };
}

/** Returns the methods that the service handles itself (`x-service-methods`). */
function serviceMethods({ extensions, methods }: Model) {
  const listed = new Set(methods.map(({ name }) => name));
  return listAt(extensions, 'x-service-methods').flatMap((row, index) => {
    const name = textAt(row, 'name');
    if (listed.has(name)) return [];
    const refuses = (params: Json): string | undefined =>
      Array.isArray(params) && params.length === 0 ? undefined : 'expected no parameters';
    const verified: VerifiedMethod = {
      name,
      pointer: `/x-service-methods/${index}`,
      params: [],
      paramStructure: 'either',
      result: isSchema(row['result']) ? row['result'] : true,
      cases: [],
      errorCodes: new Set(),
      examples: [],
      cost: 0,
      links: [],
      immutable: null,
      refuses,
    };
    return [{ verified, family: textAt(row, 'family') }];
  });
}

/** Maximum number of consecutive references. */
const MAX_HOPS = 64;

function resolve({ schemas }: Model, schema: Schema): Resolved {
  let found = schema;
  let name: string | null = null;
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const component = componentOf(found);
    if (component === null) break;
    name = component;
    found = schemas.get(component)?.schema ?? true;
  }
  return { schema: found, name };
}

/** Returns params as an array, null for those that are left out by name. */
export function positionalParams(method: VerifiedMethod, params: Json): readonly Json[] {
  if (Array.isArray(params)) return params as readonly Json[];
  return method.params.map(({ name }) => memberOf(params, name) ?? null);
}

/** Returns the schema of the result of a call: that of the first case that holds, or the method's own. */
export function resultSchemaOf(method: VerifiedMethod, params: Json): Schema {
  const positional = positionalParams(method, params);
  const found = method.cases.find(({ when }) =>
    Object.entries(when).every(([pointer, values]) => {
      const value = valueAt(positional, pointer) ?? null;
      return [values].flat().includes(value);
    }),
  );
  return found?.schema ?? method.result ?? true;
}
