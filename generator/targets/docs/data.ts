import { escapeJson } from '../../../common/escape/json.ts';
import { keepDigits, printExact } from '../../../common/json/exact.ts';
import type { JsonObject, Schema } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import { schemasIn } from '../../schema/subschemas.ts';
import { shownRowsOf } from '../client-view/shown-rows.ts';
import { exampleError, exampleParams } from './pages/example.ts';
import { factsOfMethod } from './pages/method-facts.ts';
import type { Site } from './site.ts';

/**
 * Maximum size of a file of several schemas, in characters. Methods whose schemas are near each other
 * share files.
 */
const SCHEMA_FILE_CHARACTERS = 64 * 1024;

/**
 * Maximum number of files of schemas that the console loads for one method. Params beyond them are edited
 * as JSON.
 */
const MAX_SCHEMA_FILES = 12;

/** Maximum number of components that are followed from the params of one method. */
const MAX_FOLLOWED = 200;

/**
 * Returns the files that the browser loads to try a method: one per method with its examples and errors,
 * and the component schemas, which methods share. docs-site/README.md documents the format.
 */
export function consoleFiles(site: Site): readonly (readonly [path: string, text: string])[] {
  const { files, places } = schemaFiles(site.model);
  return [
    ...files.map((text, index) => [schemaPath(index), text] as const),
    ...site.model.methods.map((method) => {
      const roots = method.params.map(({ schema }) => schema);
      const schemas = filesOf(roots, site.model, places).map(schemaPath);
      return [`${site.methodPath(method.name)}.json`, methodData(method, schemas, site)] as const;
    }),
  ];
}

function schemaPath(index: number): string {
  return `data/schemas-${index}.json`;
}

/** Prints the component schemas into files; `places` are the indexes of their files, by name. */
function schemaFiles({ schemas }: Model) {
  const groups: string[][] = [];
  const places = new Map<string, number>();
  let characters = Infinity;
  for (const { name, schema } of schemas.values()) {
    const text = `${JSON.stringify(name)}:${escapeJson(printExact(schema))}`;
    if (characters + text.length > SCHEMA_FILE_CHARACTERS) {
      groups.push([]);
      characters = 0;
    }
    groups.at(-1)!.push(text);
    characters += text.length;
    places.set(name, groups.length - 1);
  }
  return { files: groups.map((texts) => `{${texts.join(',')}}\n`), places };
}

/** Returns the indexes of the files with the components that `roots` use, the nearest first. */
function filesOf(
  roots: readonly Schema[],
  { schemas }: Model,
  places: ReadonlyMap<string, number>,
): readonly number[] {
  const files = new Set<number>();
  const found = new Set<string>();
  const ahead = [...roots];
  // The loop also visits the schemas that it adds.
  for (const schema of ahead) {
    for (const component of [...schemasIn(schema)].map(componentOf)) {
      const target = schemas.get(component ?? '');
      if (target === undefined || found.has(target.name) || found.size >= MAX_FOLLOWED) continue;
      found.add(target.name);
      const place = places.get(target.name)!;
      if (!files.has(place) && files.size >= MAX_SCHEMA_FILES) continue;
      files.add(place);
      ahead.push(target.schema);
    }
  }
  return [...files];
}

function methodData(
  method: MethodModel,
  schemas: readonly string[],
  { model, sampleMethod }: Site,
): string {
  const { params, result } = method;
  const declared = method.errors.filter(({ name }) => name !== null);
  const rows = new Set(declared.flatMap((error) => shownRowsOf(model, error, 'texts').rows));
  const data: JsonObject = {
    ...(sampleMethod(method) as unknown as JsonObject),
    paramStructure: method.paramStructure,
    params: params.map(({ name, required, summary, description, schema }) => ({
      name,
      required,
      summary: description || summary,
      schema,
    })),
    isNotification: result === null,
    schemas,
    examples: method.examples.map((example) => exampleData(method, example)),
    errors: [...rows].map(
      ({ name, code, reason, message, cause, fix, retryable, charged }): JsonObject => {
        return { name, code, reason, message, cause, fix, retryable, charged };
      },
    ),
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
