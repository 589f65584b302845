/** Holds the types generated for a document to its schemas, by TypeScript that has to compile. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { printExact } from '../../../common/json/exact.ts';
import type { Json, Schema } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel, Model } from '../../../generator/model/model.ts';
import { sampleOf, wrongValues } from './sample.ts';

export interface Evaluation {
  /** A module beside types.ts. */
  readonly text: string;
  /** How many wrong values have to be refused, by keyword. */
  readonly refused: ReadonlyMap<string, number>;
  /** How many values of examples have to be taken. */
  readonly examples: number;
  /** The values of examples that break their own schema, but for those that are meant to. */
  readonly broken: readonly string[];
}

export function evaluate(model: Model): Evaluation {
  const lines = [
    "import type * as T from './types.ts';",
    'export const values: unknown[] = [];',
    // A type parameter takes members that the type does not list, as an answer may hold them.
    'const take = <Type>() => <Given extends Type>(value: Given) => values.push(value);',
  ];
  const refused = new Map<string, number>();
  const broken: string[] = [];
  let examples = 0;
  const schemaOf = createOracle(model);
  const declare = (type: string, value: Json) =>
    lines.push(`{ const value: ${type} = ${printExact(value)}; values.push(value); }`);
  const accept = (type: string, value: Json) =>
    lines.push(`take<${type}>()(${printExact(value)});`);

  function refuseWrong(type: string, schema: Schema, pointer: string): void {
    const validate = schemaOf(pointer);
    for (const { value, keyword, pointer: at } of wrongValues(model, schema)) {
      if (!breaks(validate, value, { keyword, at })) continue;
      lines.push(`// @ts-expect-error ${keyword} ${pointer} ${at}`.replaceAll('\n', ' '));
      declare(type, value);
      refused.set(keyword, (refused.get(keyword) ?? 0) + 1);
    }
    const sample = sampleOf(model, schema);
    if (sample !== undefined && validate(sample)) accept(type, sample);
  }

  for (const { typeName, schema, pointer } of model.schemas.values()) {
    refuseWrong(`T.${typeName}`, schema, pointer);
  }
  for (const method of model.methods) {
    for (const place of placesOf(method)) {
      refuseWrong(place.type, place.schema, `${place.pointer}/schema`);
      for (const example of method.examples) {
        const value = place.valueIn(example);
        if (value === undefined) continue;
        if (schemaOf(`${place.pointer}/schema`)(value)) {
          accept(place.type, value);
          examples += 1;
        } else if (!('x-error' in example.extensions))
          broken.push(`${method.name}, ${example.name}: ${place.name}`);
      }
    }
  }
  return { text: `${lines.join('\n')}\n`, refused, examples, broken };
}

/** The parameters and the result of a method, with the type of each by itself. */
function placesOf(method: MethodModel) {
  const { params, result, paramsType, paramStructure, resultType } = method;
  const byName = paramStructure === 'by-name';
  const positional = byName ? `T.${paramsType}` : `Extract<T.${paramsType}, readonly unknown[]>`;
  return [
    ...params.map(({ name, schema, pointer }, index) => ({
      name,
      schema,
      pointer,
      type: `Exclude<${positional}[${byName ? JSON.stringify(name) : index}], undefined>`,
      valueIn: (example: ExampleModel) =>
        (example.params.find((each) => each.name === name) ?? example.params[index])?.value,
    })),
    ...(result === null
      ? []
      : [
          {
            name: result.name,
            schema: result.schema,
            pointer: result.pointer,
            type: `T.${resultType}`,
            valueIn: (example: ExampleModel) => example.result?.value,
          },
        ]),
  ];
}

/** Ajv, which knows nothing of ours, over the whole document. */
function createOracle(model: Model): (pointer: string) => ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateSchema: false,
    logger: false,
    unicodeRegExp: false,
    ownProperties: true,
  });
  ajv.addSchema(withoutIds(model.document), 'doc');
  return (pointer) =>
    ajv.compile({ $ref: `doc#${pointer.split('/').map(encodeURIComponent).join('/')}` });
}

function withoutIds(document: Json): object {
  return JSON.parse(JSON.stringify(document), (key, value: Json) =>
    key === '$id' || key === '$schema' ? undefined : value,
  ) as object;
}

function breaks(
  validate: ValidateFunction,
  value: Json,
  { keyword, at }: { readonly keyword: string; readonly at: string },
): boolean {
  if (validate(value)) return false;
  const errors = (validate.errors ?? []) as readonly ErrorObject[];
  return errors.some((error) => error.instancePath === at && error.keyword === keyword);
}
