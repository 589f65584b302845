import type { MethodModel, ParamModel } from '../../model/model.ts';
import { docComment, scriptKey, scriptString } from '../../../common/escape/script.ts';

/** A parameter and its TypeScript type. */
interface TypedParam {
  readonly param: ParamModel;
  readonly type: string;
}

/** The TypeScript declarations of a method's params. */
interface ParamsText {
  readonly params: string;
  /** The members of an interface that `params` refers to, or "". */
  readonly byName: string;
}

/**
 * Writes the type of a method's `params`: a labeled tuple, an object, or a union of both, depending on
 * the method's paramStructure.
 */
export function paramsType(method: MethodModel, params: readonly TypedParam[]): ParamsText {
  const alone = (text: string) => ({ params: text, byName: '' });
  if (method.paramStructure === 'by-position') return alone(positional(params));
  if (params.length === 0) {
    const none = '{ [name: string]: never }';
    return alone(method.paramStructure === 'by-name' ? none : `[] | ${none}`);
  }
  if (method.paramStructure === 'by-name') return alone(members(params, true));
  if (!params.some(isLong)) return alone(`${positional(params)} | ${members(params, false)}`);
  // Long types are declared once, in the object; the tuple refers to them.
  const { paramsByNameType } = method;
  const taken = params.map((each) => {
    if (!isLong(each)) return each;
    const member = `${paramsByNameType}[${scriptString(each.param.name)}]`;
    return { ...each, type: each.param.required ? member : `Exclude<${member}, undefined>` };
  });
  return { params: `${positional(taken)} | ${paramsByNameType}`, byName: members(params, true) };
}

function isLong({ type }: TypedParam): boolean {
  return type.includes('\n');
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
    const about = [param.summary || param.description, param.deprecated ? '@deprecated' : ''];
    const doc = isDocumented ? `\n${docComment(about)}` : '';
    return `${doc}${scriptKey(param.name)}${param.required ? '' : '?'}: ${type}`;
  });
  return `{ ${lines.join('; ')} }`;
}
