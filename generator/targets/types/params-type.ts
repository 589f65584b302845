import type { MethodModel, ParamModel } from '../../model/model.ts';

/** A parameter with its TypeScript type as text. */
export interface TypedParam {
  readonly param: ParamModel;
  readonly type: string;
}

/**
 * The type of a method's `params`: a labelled tuple, an object, or either of them, as the method's
 * paramStructure says.
 */
export function paramsType(method: MethodModel, params: readonly TypedParam[]): string {
  const tuple = positional(params);
  if (method.paramStructure === 'by-position') return tuple;
  const object = named(params);
  return method.paramStructure === 'by-name' ? object : `${tuple} | ${object}`;
}

// A position that may be left out but has a required one behind it cannot be skipped in an array:
// null stands in for it.
function positional(params: readonly TypedParam[]): string {
  const lastRequired = params.findLastIndex(({ param }) => param.required);
  const elements = params.map(({ param, type }, index) => {
    if (param.required) return `${param.identifier}: ${type}`;
    return index < lastRequired
      ? `${param.identifier}: ${type} | null`
      : `${param.identifier}?: ${type}`;
  });
  return `[${elements.join(', ')}]`;
}

function named(params: readonly TypedParam[]): string {
  if (params.length === 0) return '{ [name: string]: never }';
  const members = params.map(
    ({ param, type }) => `${JSON.stringify(param.name)}${param.required ? '' : '?'}: ${type}`,
  );
  return `{ ${members.join('; ')} }`;
}
