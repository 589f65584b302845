import { printExact, printMember } from '../../common/json/exact.ts';
import { isObject, type Json } from '../../common/json/value.ts';
import { limitTime } from '../../common/validation-time.ts';
import { numberAt, textAt } from '../../generator/model/member.ts';
import { listAt, objectAt } from '../../generator/schema/document-schemas.ts';
import type { ErrorModel, ExampleModel, MethodModel, Model } from '../../generator/model/model.ts';
import { createValidators } from '../../generator/targets/validators/in-process.ts';
import type {
  DescribedError,
  DescribedExample,
  DescribedMethod,
  DescribedService,
} from '../../src/described/service.ts';

type Validators = Pick<DescribedMethod, 'validateParams' | 'validateResult'>;

const OK = 200;

/** The discovery method of the OpenRPC specification. */
const DISCOVER = 'rpc.discover';

/** Converts a model to the description that a mock or a proxy needs. */
export function describeService(model: Model): DescribedService {
  const validators = createValidators(model);
  const document = printExact(model.document);
  const discovery = { name: 'document', params: [], result: document };
  const errors = indexErrors(model.errors);
  const described = model.methods.map((method): DescribedMethod => ({
    name: method.name,
    paramNames: method.params.map(({ name }) => name),
    takesNames: method.paramStructure !== 'by-position',
    ...withinTime(validators.get(method.name)!),
    resultSchema: method.result?.schema ?? true,
    examples: [
      // First, so that it takes precedence over an example in the document.
      ...(method.name === DISCOVER ? [discovery] : []),
      ...method.examples.flatMap((example) => describeExample(errors, method, example)),
    ],
    errors: describeErrors(errors, method),
  }));
  const isListed = described.some(({ name }) => name === DISCOVER);
  return {
    title: model.info.title,
    version: model.info.version,
    document,
    schemas: objectAt(objectAt(model.document, 'components'), 'schemas'),
    methods: [
      ...(isListed ? [] : [describeFixed(DISCOVER, discovery)]),
      ...described,
      ...describeServiceMethods(model),
    ],
  };
}

/** The same validators, each limited in time: callers wait for one another. */
function withinTime({ validateParams, validateResult }: Validators): Validators {
  return {
    validateParams: Object.assign((params?: unknown) => limitTime(() => validateParams(params)), {
      withoutNulls: validateParams.withoutNulls,
    }),
    validateResult:
      validateResult === null ? null : (value) => limitTime(() => validateResult(value)),
  };
}

/** Describes the methods of `x-service-methods` that have an example. */
function describeServiceMethods({ extensions, methods }: Model): readonly DescribedMethod[] {
  const listed = new Set([DISCOVER, ...methods.map(({ name }) => name)]);
  return listAt(extensions, 'x-service-methods').flatMap((row) => {
    const name = textAt(row, 'name');
    if (listed.has(name) || !('example' in row)) return [];
    return [describeFixed(name, { name, params: [], result: printMember(row, 'example') })];
  });
}

/** Describes a method without params that always returns the same result. */
function describeFixed(name: string, example: DescribedExample): DescribedMethod {
  return {
    name,
    paramNames: [],
    takesNames: true,
    validateParams: Object.assign(() => [], { withoutNulls: (params: unknown) => params }),
    validateResult: () => [],
    resultSchema: true,
    examples: [example],
    errors: [],
  };
}

/** Describes an example; returns an empty list if it has neither a result nor an error. */
function describeExample(
  errors: ErrorIndex,
  method: MethodModel,
  { name, params, result, extensions }: ExampleModel,
): readonly DescribedExample[] {
  const byName = new Map(params.map((param) => [param.name, param.value]));
  const areNamed = method.params.some((param) => byName.has(param.name));
  const ordered = areNamed
    ? method.params.map((param) => byName.get(param.name))
    : params.map(({ value }) => value);
  const error = describeExampleError(errors, extensions['x-error']);
  if (error !== null) return [{ name, params: ordered, error }];
  if (result?.value === undefined) return [];
  return [{ name, params: ordered, result: printMember(result, 'value') }];
}

function describeExampleError(errors: ErrorIndex, error: Json | undefined): DescribedError | null {
  const code = isObject(error) ? numberAt(error, 'code') : null;
  if (!isObject(error) || code === null) return null;
  const { data } = error;
  const reason = isObject(data) ? textAt(data, 'reason') || null : null;
  const [row] = errors.get(keyOf(code, { reason })) ?? [];
  const { name = null, status = null } = row ?? {};
  const message = textAt(error, 'message');
  return withData({ name, reason, status: status ?? OK, code, message }, data);
}

/** The rows of the error catalog by code and name, or null, and by code and reason, or null. */
type ErrorIndex = ReadonlyMap<string, readonly ErrorModel[]>;

type ErrorKey = { readonly name: string | null } | { readonly reason: string | null };

const keyOf = (code: number, key: ErrorKey): string => JSON.stringify([code, key]);

/** A document may have thousands of errors. */
function indexErrors(errors: readonly ErrorModel[]): ErrorIndex {
  const index = new Map<string, ErrorModel[]>();
  for (const row of errors) {
    const names = [...new Set([null, row.error, row.name])];
    const keys = [{ reason: row.reason }, ...names.map((name) => ({ name }))];
    for (const key of keys.map((each) => keyOf(row.code, each))) {
      const rows = index.get(key);
      if (rows === undefined) index.set(key, [row]);
      else rows.push(row);
    }
  }
  return index;
}

/** Returns the rows of the error catalog for each declared code, or the declaration if there are none. */
function describeErrors(errors: ErrorIndex, method: MethodModel): readonly DescribedError[] {
  return method.errors.flatMap((declared) => {
    const { name, code, message, data } = declared;
    const rows = errors.get(keyOf(code, { name })) ?? [];
    if (rows.length > 0) return rows.map((row) => describeRow(row, data));
    return [withData({ name, reason: null, status: OK, code, message }, data)];
  });
}

function describeRow(row: ErrorModel, declared: Json | undefined): DescribedError {
  const { name, reason, status, code } = row;
  // Only the service itself knows the values of placeholders.
  const message = reason === null ? row.message : row.message.replaceAll(/(?:: )?\{\w+\}/g, '');
  const data = reason === null ? declared : { reason };
  return withData({ name, reason, status: status ?? OK, code, message }, data);
}

function withData(error: Omit<DescribedError, 'data'>, data: Json | undefined): DescribedError {
  return data === undefined ? error : { ...error, data };
}
