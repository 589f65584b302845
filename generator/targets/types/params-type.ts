import type { MethodModel, ParamModel } from '../../model/model.ts';
import { docComment, scriptKey, scriptString } from '../../../common/escape/script.ts';

/** A parameter with its TypeScript type as text. */
export interface TypedParam {
  readonly param: ParamModel;
  readonly type: string;
}

/** How the parameters of a method are declared; both TypeScript as text. */
export interface ParamsText {
  /** The type itself. */
  readonly params: string;
  /** The members of an interface that `params` refers to; "" where it needs none. */
  readonly byName: string;
}

/**
 * The type of a method's `params`: a labelled tuple, an object, or either of them, as the method's
 * paramStructure says.
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
  // What takes lines to say is said once: the tuple takes it from the object.
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

function members(params: readonly TypedParam[], isDocumented: boolean): string {
  const lines = params.map(({ param, type }) => {
    const about = [param.summary || param.description, param.deprecated ? '@deprecated' : ''];
    const doc = isDocumented ? `\n${docComment(about)}` : '';
    return `${doc}${scriptKey(param.name)}${param.required ? '' : '?'}: ${type}`;
  });
  return `{ ${lines.join('; ')} }`;
}
