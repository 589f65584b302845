import { escapeJson } from '../../../common/escape/json.ts';
import { keepDigits, printExact } from '../../../common/json/exact.ts';
import type { JsonObject, Schema } from '../../../common/json/value.ts';
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
  const { params, result } = method;
  const roots = [...params, ...(result === null ? [] : [result])].map(({ schema }) => schema);
  const data: JsonObject = {
    ...(sampleMethod(method) as unknown as JsonObject),
    paramStructure: method.paramStructure,
    params: params.map(({ name, required, summary, description, schema }) => ({
      name,
      required,
      summary: description || summary,
      schema,
    })),
    result: result && { name: result.name, schema: result.schema },
    components: { schemas: reachable(roots, model) },
    examples: method.examples.map((example) => exampleData(method, example)),
    errors: model.errors
      .filter((row) => method.errors.some(({ name }) => name !== null && name === row.error))
      .map((row) => {
        const { name, code, reason, message, cause, fix, retryable, charged } = row;
        return { name, code, reason, message, cause, fix, retryable, charged };
      }),
    credits: factsOfMethod(method).credits,
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
  const found = new Map<string, Schema>();
  const ahead = [...roots];
  // The loop also visits the schemas that it adds.
  for (const schema of ahead) {
    for (const component of [...schemasIn(schema)].map(componentOf)) {
      const target = schemas.get(component ?? '');
      if (target === undefined || found.has(target.name)) continue;
      found.set(target.name, target.schema);
      ahead.push(target.schema);
    }
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
