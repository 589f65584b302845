import type { MethodModel, ParamModel } from '../../model/model.ts';
import { deprecatedTag, docComment, scriptKey } from '../../../common/escape/script.ts';

/** A parameter and its TypeScript type. */
interface TypedParam {
  readonly param: ParamModel;
  readonly type: string;
}

/**
 * Writes the type of a method's `params`: a labeled tuple, an object, or a union of both, depending on
 * the method's paramStructure.
 */
export function paramsType(
  { paramStructure }: Pick<MethodModel, 'paramStructure'>,
  params: readonly TypedParam[],
): string {
  if (paramStructure === 'by-position') return positional(params);
  if (params.length === 0) {
    const none = '{ [name: string]: never }';
    return paramStructure === 'by-name' ? none : `[] | ${none}`;
  }
  if (paramStructure === 'by-name') return members(params, true);
  return `${positional(params)} | ${members(params, false)}`;
}

// An array cannot skip an optional position before a required one: null takes its place.
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

function members(params: readonly TypedParam[], isDocumented: boolean): string {
  const lines = params.map(({ param, type }) => {
    const about = docComment([param.summary || param.description], deprecatedTag(param.deprecated));
    const doc = isDocumented ? `\n${about}` : '';
    return `${doc}${scriptKey(param.name)}${param.required ? '' : '?'}: ${type}`;
  });
  return `{ ${lines.join('; ')} }`;
}
