/** Programs of callers: what they write when they know the older of two documents. */
import { isObject, type Json, type Schema } from '../../../common/json/value.ts';
import type { MethodModel, Model } from '../../../generator/model/model.ts';
import { componentOf } from '../../../generator/model/type-names.ts';
import type { PlainDocument } from '../corpus.ts';
import { createChance } from '../instances/instances.ts';
import { validCalls } from './proof.ts';

/** Lines before the first pair of lines. */
const HEAD = [
  "import type * as Old from './old.ts';",
  "import type * as New from './new.ts';",
  "import { errors as oldErrors } from './oldErrors.ts';",
  "import { errors as newErrors } from './newErrors.ts';",
];
const MAX_CALLS = 40;
const MAX_PATHS = 30;

/**
 * Returns the program of a caller. Every statement is written twice, with the older types and then with
 * the newer ones.
 */
export function programOf(model: Model, document: PlainDocument): string {
  const statements = [
    ...model.methods.flatMap((method) => statementsOf(model, method, document)),
    ...[...model.schemas.values()].map(({ typeName }, index) => (side: Side) => {
      return `export type ${side}Name${index} = ${side}.${typeName};`;
    }),
    ...model.errors.map(({ name }, index) => (side: Side) => {
      const errors = `${side.toLowerCase()}Errors[${JSON.stringify(name)}]`;
      return `export const ${side}error${index} = ${errors}.code;`;
    }),
  ];
  const lines = statements.flatMap((statement) => [statement('Old'), statement('New')]);
  return `${[...HEAD, ...lines].join('\n')}\n`;
}

type Side = 'Old' | 'New';

/** Returns whether a line, counted from 1, uses the older types. */
export function isOwn(line: number): boolean {
  return (line - HEAD.length) % 2 === 1;
}

/** Returns the line that says the same with the older types. */
export function ownLineOf(line: number): number {
  return line - 1;
}

function statementsOf(model: Model, method: MethodModel, document: PlainDocument) {
  const { name } = method;
  const typeOf = (side: Side, member: string) =>
    `${side}.Methods[${JSON.stringify(name)}]['${member}']`;
  const seed = { chance: createChance(1), tries: MAX_CALLS };
  const key = `${method.typeName}`;
  return [
    (side: Side) =>
      `export const ${side}Send${key} = (params: ${typeOf('Old', 'params')}): ${typeOf(side, 'params')} => params;`,
    (side: Side) =>
      `export const ${side}Read${key} = (result: ${typeOf(side, 'result')}): ${typeOf('Old', 'result')} => result;`,
    ...validCalls(document, name, seed).map((call, index) => (side: Side) => {
      return `export const ${side}Call${key}${index}: ${typeOf(side, 'params')} = ${JSON.stringify(call)};`;
    }),
    ...pathsIn(model, method.result?.schema ?? true).map((path, index) => (side: Side) => {
      return `export const ${side}Path${key}${index} = (result: ${typeOf(side, 'result')}) => result${path};`;
    }),
  ];
}

/** The expressions that read the members of a value, such as `?.["a"]?.[0]?.["b"]`. */
function pathsIn(model: Model, root: Schema): readonly string[] {
  const paths: string[] = [];
  const ahead: [schema: Schema, path: string][] = [[root, '']];
  // Iterating an array includes elements that are added meanwhile.
  for (const [schema, path] of ahead) {
    if (paths.length >= MAX_PATHS) break;
    if (path !== '') paths.push(path);
    const at = resolve(model, schema);
    if (!isObject(at)) continue;
    if (isObject(at['properties']))
      for (const [name, each] of Object.entries(at['properties']))
        ahead.push([each as Schema, `${path}?.[${JSON.stringify(name)}]`]);
    const { items } = at;
    if (items !== undefined && !Array.isArray(items)) ahead.push([items as Schema, `${path}?.[0]`]);
  }
  return paths;
}

function resolve(model: Model, schema: Schema): Json {
  const name = componentOf(schema);
  return (name === null ? schema : (model.schemas.get(name)?.schema ?? true)) as Json;
}
