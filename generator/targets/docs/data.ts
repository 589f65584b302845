import { escapeJson } from '../../../common/escape/json.ts';
import { keepDigits, printExact } from '../../../common/json/exact.ts';
import type { Json, JsonObject, Schema } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import { schemasIn } from '../../schema/subschemas.ts';
import { exampleError, exampleParams } from './pages/example.ts';
import { factsOfMethod } from './pages/method-facts.ts';
import type { Site } from './site.ts';

/**
 * Renders the data that the browser loads to try a method: its schemas with all components they use,
 * its examples and errors. docs-site/README.md documents the format.
 */
export function methodData(method: MethodModel, { model, sampleMethod }: Site): string {
  const { credits } = factsOfMethod(method);
  const roots = [
    ...method.params.map(({ schema }) => schema),
    ...(method.result === null ? [] : [method.result.schema]),
  ];
  const data: JsonObject = {
    ...(sampleMethod(method) as unknown as JsonObject),
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
      .map(({ name, code, reason, message, cause, fix, ...row }) => {
        const { retryable, charged } = row;
        return { name, code, reason, message, cause, fix, retryable, charged };
      }),
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

/** Returns the component schemas that `roots` use, by name. */
function reachable(roots: readonly Schema[], { schemas }: Model): JsonObject {
  const found = new Map<string, Json>();
  const ahead = [...roots];
  for (let schema = ahead.pop(); schema !== undefined; schema = ahead.pop()) {
    for (const component of [...schemasIn(schema)].map(componentOf)) {
      const target = component === null ? undefined : schemas.get(component)?.schema;
      if (component === null || target === undefined || found.has(component)) continue;
      found.set(component, target);
      ahead.push(target);
    }
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
