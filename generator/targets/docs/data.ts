import { escapeJson } from '../../../common/escape/json.ts';
import { keepDigits, printExact } from '../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import { exampleError, exampleParams } from './pages/example.ts';
import { factsOfMethod } from './pages/method-facts.ts';
import { sampleMethod } from './sample-method.ts';
import type { Site } from './site.ts';

/**
 * What the browser asks for when a reader tries a method: its schemas with every component they
 * reach, its examples and errors. Lies beside the page; the shape is told in docs-site/README.md.
 */
export function methodData(method: MethodModel, { model }: Site): string {
  const { credits } = factsOfMethod(method);
  const roots = [
    ...method.params.map(({ schema }) => schema),
    ...(method.result === null ? [] : [method.result.schema]),
  ];
  const data: JsonObject = {
    ...sampleMethod(method, model),
    paramStructure: method.paramStructure,
    params: method.params.map(({ name, required, summary, description, schema }) => ({
      name,
      required,
      summary: description || summary,
      schema,
    })),
    result:
      method.result === null ? null : { name: method.result.name, schema: method.result.schema },
    components: { schemas: reachable(roots, model) },
    examples: method.examples.map((example) => exampleData(method, example)),
    errors: model.errors
      .filter((row) => method.errors.some(({ name }) => name !== null && name === row.error))
      .map(({ name, code, reason, message, cause, fix, retryable, charged }) => ({
        name,
        code,
        reason,
        message,
        cause,
        fix,
        retryable,
        charged,
      })),
    credits,
  };
  return `${escapeJson(printExact(data))}\n`;
}

function exampleData(method: MethodModel, example: ExampleModel): JsonObject {
  const { name, extensions, result } = example;
  const data = {
    name,
    network: extensions['x-network'] ?? null,
    setup: extensions['x-setup'] ?? null,
    params: exampleParams(method, example),
    result: result?.value ?? null,
    error: exampleError(example),
  };
  if (result !== null) keepDigits([result, 'value'], [data, 'result']);
  return data;
}

/** The component schemas that can be got to from `roots`, by their keys. */
function reachable(roots: readonly Schema[], { schemas }: Model): JsonObject {
  const found = new Map<string, Json>();
  const ahead = [...roots];
  for (let schema = ahead.pop(); schema !== undefined; schema = ahead.pop()) {
    for (const place of walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }])) {
      const component = isObject(place.schema) ? componentOf(place.schema) : null;
      const target = component === null ? undefined : schemas.get(component)?.schema;
      if (component === null || target === undefined || found.has(component)) continue;
      found.set(component, target);
      ahead.push(target);
    }
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
