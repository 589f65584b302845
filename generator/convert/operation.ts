import { cutText } from '../../common/escape/text.ts';
import type { JsonObject, Schema } from '../../common/json/value.ts';
import type { ErrorModel, ExampleModel, MethodModel } from '../model/model.ts';

/** The HTTP status of a result, and of errors for which the document gives none. */
const OK = 200;

const VERSION: JsonObject = { const: '2.0' };

/** The schema of a response with an error; the id is null where it could not be read. */
export const errorResponse: JsonObject = objectOf(
  {
    jsonrpc: VERSION,
    id: { type: ['string', 'integer', 'null'] },
    error: objectOf({ code: { type: 'integer' }, message: { type: 'string' }, data: {} }, [
      'code',
      'message',
    ]),
  },
  ['jsonrpc', 'id', 'error'],
);

export interface Context {
  readonly catalog: readonly ErrorModel[];
  /** The reference to `errorResponse`. */
  readonly error: JsonObject;
  /** Converts a schema with its references. */
  readonly convert: (schema: Schema) => Schema;
}

export function toOperation(method: MethodModel, context: Context): JsonObject {
  const { name, summary, description, tags, deprecated, externalDocs, examples } = method;
  const requests = examples.flatMap((example) => toRequest(method, example));
  return {
    operationId: name,
    ...textsOf({ summary, description }),
    ...(tags.length > 0 && { tags: tags.map((tag) => tag.name) }),
    ...(deprecated && { deprecated }),
    ...(externalDocs !== null && { externalDocs }),
    requestBody: {
      required: true,
      content: jsonContent(requestSchema(method, context), requests),
    },
    responses: toResponses(method, context),
  };
}

function requestSchema(method: MethodModel, context: Context): JsonObject {
  const { name, params, result } = method;
  const isRequired = params.some(({ required }) => required);
  return objectOf(
    {
      jsonrpc: VERSION,
      // A request without an id is a notification (JSON-RPC 2.0, 4.1).
      ...(result !== null && { id: { type: ['string', 'integer'] } }),
      method: { const: name },
      params: paramsSchema(method, context),
    },
    ['jsonrpc', ...(result === null ? [] : ['id']), 'method', ...(isRequired ? ['params'] : [])],
  );
}

function paramsSchema({ params, paramStructure }: MethodModel, { convert }: Context): JsonObject {
  const schemas = params.map(({ schema, summary, description, deprecated }) => {
    const said = {
      ...textsOf({ description: description || summary }),
      ...(deprecated && { deprecated }),
    };
    const converted = convert(schema);
    // The parameter's description is more specific than that of its schema.
    return Object.keys(said).length === 0 ? converted : { allOf: [converted], ...said };
  });
  const required = params.filter((param) => param.required).map(({ name }) => name);
  const byName = {
    ...objectOf(
      Object.fromEntries(params.map(({ name }, index) => [name, schemas[index]!])),
      required,
    ),
    additionalProperties: false,
  };
  const byPosition = {
    type: 'array',
    ...(schemas.length > 0 && { prefixItems: schemas }),
    minItems: params.findLastIndex((param) => param.required) + 1,
    maxItems: params.length,
  };
  if (paramStructure === 'by-name') return byName;
  return paramStructure === 'by-position' ? byPosition : { anyOf: [byPosition, byName] };
}

function toRequest(
  { name: method, params, paramStructure }: MethodModel,
  example: ExampleModel,
): readonly (readonly [name: string, example: JsonObject])[] {
  const values = example.params.map(({ value }) => value);
  if (!values.every((value) => value !== undefined)) return [];
  const byName = example.params.map(({ name }, index) => [
    name || params[index]?.name,
    values[index]!,
  ]);
  const value = {
    jsonrpc: '2.0',
    ...(example.result !== null && { id: 1 }),
    method,
    params: paramStructure === 'by-name' ? Object.fromEntries(byName) : values,
  };
  return [toExample(example, value)];
}

function toResponses(method: MethodModel, { catalog, error, convert }: Context): JsonObject {
  const errors = errorsByStatus(method, catalog);
  const { [OK]: ofResult = [], ...others } = errors;
  const failures = Object.entries(others).map(([status, lines]) => [
    status,
    { description: list('Errors:', lines), content: jsonContent(error) },
  ]);
  return {
    ...resultResponse(method, ofResult, { error, convert }),
    ...Object.fromEntries(failures),
  };
}

function resultResponse(
  { result, examples }: MethodModel,
  errors: readonly string[],
  { error, convert }: Pick<Context, 'convert' | 'error'>,
): JsonObject {
  // A notification has no response (JSON-RPC 2.0, 4.1), but HTTP needs one.
  if (result === null)
    return { '2XX': { description: 'Accepted. A notification has no response.' } };
  const response = objectOf(
    { jsonrpc: VERSION, id: { type: ['string', 'integer'] }, result: convert(result.schema) },
    ['jsonrpc', 'id', 'result'],
  );
  const results = examples.flatMap((example) => {
    const value = example.result?.value;
    return value === undefined
      ? []
      : [toExample(example, { jsonrpc: '2.0', id: 1, result: value })];
  });
  const what = result.description || result.summary || 'The result.';
  return {
    [OK]: {
      description: errors.length === 0 ? what : list(`${what}\n\nErrors with this status:`, errors),
      content: jsonContent({ anyOf: [response, error] }, results),
    },
  };
}

/** Maximum number of characters of a message that is repeated for each method and status. */
const MAX_MESSAGE = 1_000;

/** Returns a line for each error, by the HTTP status that the catalog gives for it. */
function errorsByStatus(
  { errors }: MethodModel,
  catalog: readonly ErrorModel[],
): Record<string, readonly string[]> {
  const lines: Record<string, string[]> = {};
  const rowsOf = Map.groupBy(catalog, ({ error, code }) => JSON.stringify([String(code), error]));
  for (const { name, code, message } of errors) {
    const rows = rowsOf.get(JSON.stringify([String(code), name])) ?? [];
    const statuses = rows.length === 0 ? [OK] : rows.map(({ status }) => status ?? OK);
    for (const status of new Set(statuses)) {
      (lines[status] ??= []).push(`${code} ${cutText(message, MAX_MESSAGE)}`);
    }
  }
  return lines;
}

function list(title: string, lines: readonly string[]): string {
  return `${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function toExample(
  { name, summary, description }: ExampleModel,
  value: JsonObject,
): readonly [name: string, example: JsonObject] {
  return [name, { ...textsOf({ summary, description }), value }];
}

function jsonContent(
  schema: JsonObject,
  examples: readonly (readonly [string, JsonObject])[] = [],
) {
  const named = examples.length > 0 && { examples: Object.fromEntries(examples) };
  return { 'application/json': { schema, ...named } };
}

function objectOf(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Returns the texts that are not empty. */
export function textsOf(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
