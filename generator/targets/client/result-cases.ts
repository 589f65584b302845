import { splitPointer } from '../../../common/json/pointer.ts';
import { isObject, isSchema, type Json, type Schema } from '../../../common/json/value.ts';
import type { MethodModel } from '../../model/model.ts';
import { literal } from '../literal.ts';
import type { NameOf } from '../types/type-schema.ts';
import { typeText } from '../types/type-text.ts';

/** A narrower schema of a method's result, for params that have one of some values at each place. */
export interface ResultCase {
  /** By JSON pointer into the positional params; null stands for "null or not there". */
  readonly when: ReadonlyMap<string, readonly Json[]>;
  readonly schema: Schema;
}

/** What a method says of its result by its params (`x-result-cases`); none when it says nothing. */
export function readResultCases({
  extensions,
  paramStructure,
}: MethodModel): readonly ResultCase[] {
  const cases = extensions['x-result-cases'];
  if (!Array.isArray(cases) || paramStructure === 'by-name') return [];
  return cases.flatMap((each) => {
    if (!isObject(each) || !isObject(each['when']) || !isSchema(each['schema'])) return [];
    const when = Object.entries(each['when']).map(
      ([pointer, values]): [string, readonly Json[]] => [
        pointer,
        Array.isArray(values) ? values : [values as Json],
      ],
    );
    return [{ when: new Map(when), schema: each['schema'] }];
  });
}

/** The positions of the params that the cases look at. */
export function decidingParams(cases: readonly ResultCase[]): ReadonlySet<number> {
  return new Set(
    cases.flatMap(({ when }) =>
      [...when.keys()].map((pointer) => Number(splitPointer(pointer)[0])),
    ),
  );
}

/** The result's type as a conditional type over `P`, the params; `otherwise` is the result's own. */
export async function caseType(
  cases: readonly ResultCase[],
  otherwise: string,
  nameOf: NameOf,
): Promise<string> {
  let text = otherwise;
  for (const { when, schema } of cases.toReversed()) {
    const { body } = await typeText(schema, nameOf);
    const places = [...when.keys()].map((pointer) =>
      splitPointer(pointer).reduce((of, key) => `Member<${of}, ${literal(key)}>`, 'P'),
    );
    const values = [...when.values()].map((each) =>
      each.map((value) => (value === null ? 'null | undefined' : literal(value))).join(' | '),
    );
    text = `[${places.join(', ')}] extends [${values.join(', ')}] ? ${body} : ${text}`;
  }
  return text;
}
