import { printExact, printMember } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import type { ErrorModel, ExampleModel, MethodModel, Model } from '../../generator/model/model.ts';
import { referenceDocument } from '../../generator/targets/server/reference-document.js';
import { createValidators } from '../../generator/targets/validators/in-process.ts';
import type {
  DescribedError,
  DescribedExample,
  DescribedMethod,
  DescribedService,
} from '../../src/described/service.ts';

const OK = 200;

/** Converts a model to what a mock or a proxy needs of it. */
export function describeService(model: Model): DescribedService {
  const validators = createValidators(model);
  const document = printExact(model.document);
  const discovery = { name: 'document', params: [], result: document };
  const isDiscovered = model.methods.some(({ name }) => name === DISCOVER);
  return {
    title: model.info.title,
    version: model.info.version,
    document,
    reference: referenceDocument(model.document),
    methods: [
      ...(isDiscovered ? [] : [discover(discovery)]),
      ...model.methods.map((method) => ({
        name: method.name,
        paramNames: method.params.map(({ name }) => name),
        takesNames: method.paramStructure !== 'by-position',
        ...validators.get(method.name)!,
        examples: [
          // First, so that it takes precedence over an example in the document.
          ...(method.name === DISCOVER ? [discovery] : []),
          ...method.examples.flatMap((example) => describeExample(model, method, example)),
        ],
        errors: describeErrors(model, method),
      })),
    ],
  };
}

/** The discovery method of the OpenRPC specification. */
const DISCOVER = 'rpc.discover';

/** Describes the discovery method, for documents that do not list it. */
function discover(example: DescribedExample): DescribedMethod {
  return {
    name: DISCOVER,
    paramNames: [],
    takesNames: true,
    validateParams: () => [],
    validateResult: () => [],
    examples: [example],
    errors: [],
  };
}

/** Returns nothing for an example with neither a result nor an error. */
function describeExample(
  model: Model,
  method: MethodModel,
  { name, params, result, extensions }: ExampleModel,
): readonly DescribedExample[] {
  const byName = new Map(params.map((param) => [param.name, param.value]));
  const areNamed = method.params.some((param) => byName.has(param.name));
  const ordered = areNamed
    ? method.params.map((param) => byName.get(param.name))
    : params.map(({ value }) => value);
  const error = readError(model, extensions['x-error']);
  if (error !== undefined) return [{ name, params: ordered, error }];
  if (result?.value === undefined) return [];
  return [{ name, params: ordered, result: printMember(result, 'value') }];
}

function readError(model: Model, value: Json | undefined): DescribedError | undefined {
  const { code, message, data } = (value ?? {}) as {
    readonly code?: Json;
    readonly message?: Json;
    readonly data?: Json;
  };
  if (typeof code !== 'number') return undefined;
  const reason = (data as { readonly reason?: Json } | undefined)?.reason ?? null;
  const row = model.errors.find((each) => each.code === code && each.reason === reason);
  return {
    name: row?.name ?? null,
    reason: typeof reason === 'string' ? reason : null,
    status: row?.status ?? OK,
    code,
    message: typeof message === 'string' ? message : '',
    ...(data === undefined ? {} : { data }),
  };
}

/** Returns the rows of the error catalog for each declared code, or the declaration if there are none. */
function describeErrors(model: Model, method: MethodModel): readonly DescribedError[] {
  return method.errors.flatMap((declared) => {
    const rows = model.errors.filter(
      ({ code, error, name }) =>
        code === declared.code && (declared.name === null || [error, name].includes(declared.name)),
    );
    const { code, message, data } = declared;
    const plain = { name: declared.name, reason: null, status: OK, code, message };
    return rows.length === 0
      ? [data === undefined ? plain : { ...plain, data }]
      : rows.map((row) => describeRow(row, data));
  });
}

function describeRow(
  { name, reason, status, code, message }: ErrorModel,
  declared: Json | undefined,
): DescribedError {
  const data = reason === null ? declared : { reason };
  // Only the service itself knows the values of placeholders.
  const text = reason === null ? message : message.replaceAll(/(?:: )?\{\w+\}/g, '');
  const row = { name, reason, status: status ?? OK, code, message: text };
  return data === undefined ? row : { ...row, data };
}
