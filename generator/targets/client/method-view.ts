import { codeSpan } from '../../../common/escape/markdown.ts';
import {
  commentLines,
  commentText,
  deprecatedTag,
  docComment,
  scriptKey,
  type Tag,
} from '../../../common/escape/script.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { splitPointer } from '../../../common/json/pointer.ts';
import type { Schema } from '../../../common/json/value.ts';
import type { ErrorModel, MethodModel, Model } from '../../model/model.ts';
import { describeThrown } from '../client-view/errors.ts';
import {
  aboutOf,
  costText,
  creditsOf,
  decidingParams,
  readResultCases,
  type ResultCase,
  textsOf,
} from '../client-view/methods.ts';
import { literal } from '../literal.ts';
import { namesOf } from '../types/target.ts';
import type { NameOf } from '../types/type-schema.ts';
import { typeText } from '../types/type-text.ts';
import type { Route } from './runtime/build-client.ts';
import { joinWords } from './runtime/error-name.ts';

/** Returns the view of a method; its texts are TypeScript code. */
export async function viewMethod(
  model: Model,
  method: MethodModel,
  {
    classNames,
    allowsWide,
  }: {
    readonly classNames: ReadonlyMap<ErrorModel, string>;
    /** Checks whether a schema allows integers beyond 2^53. */
    readonly allowsWide: (schema: Schema) => boolean;
  },
) {
  const credits = creditsOf(method);
  const route = routeOf(method, credits);
  const cases = readResultCases(method);
  const deciding = decidingParams(cases);
  const resultOf = `${method.resultType}Of`;
  const plain = method.result === null ? 'void' : `T.${method.resultType}`;
  const args = method.params.map((_, index) => (deciding.has(index) ? `P${index}` : 'unknown'));
  const result = cases.length === 0 ? plain : `R.${resultOf}<[${args.join(', ')}]>`;
  const isWide = method.result !== null && allowsWide(method.result.schema);
  const nameOf = namesOf(model, 'T.');
  const types = await Promise.all(method.params.map(({ schema }) => typeText(schema, nameOf)));
  const elements = types.map(({ body }) => body);
  const parameters = [
    ...parametersOf(method, elements, deciding),
    `${optionsName(method)}?: CallOptions`,
  ];
  return {
    doc: documentMethod(model, method, classNames),
    identifier: method.identifier,
    name: literal(method.name),
    key: scriptKey(method.name),
    code: commentLines(commentText(codeSpan(method.name))).join(' '),
    typeParameters: typeParametersOf(method, elements, deciding),
    signature: parameters.join(', '),
    resultType: isWide ? `Widen<${result}, Wide>` : result,
    paramsTypeName: `T.${method.paramsType}`,
    resultTypeName: plain,
    cases: cases.length === 0 ? '' : await caseType(cases, plain, nameOf),
    resultOf,
    // For a name that all objects inherit, TypeScript does not apply the type of a record's members.
    route: method.name in {} ? `${literal(route)} satisfies Route` : literal(route),
    hasMember: route[3]?.member !== undefined,
    isWide,
    isPriced: credits !== null,
    credits: literal(credits),
  };
}

function routeOf(method: MethodModel, credits: number | null): Route {
  const { name, identifier, params, paramStructure, result, extensions } = method;
  const isNamed = paramStructure === 'by-name';
  const mayHaveGaps = params.some(({ required }, index) => !required && index < params.length - 1);
  const names = params.map((param) => param.name);
  const arity = isNamed ? Math.min(1, params.length) : params.length;
  const reads = extensions['x-read-only'] === true;
  const other = {
    ...(joinWords(name) === identifier ? {} : { member: identifier }),
    ...(isNamed ? { named: true } : {}),
    ...(paramStructure === 'either' && mayHaveGaps ? { names } : {}),
    ...(result === null ? { notification: true } : {}),
  };
  if (Object.keys(other).length > 0) return [arity, credits, reads, other];
  return reads ? [arity, credits, reads] : [arity, credits];
}

/** Declares a function's parameters: the method's own in order, or one object for params by name. */
function parametersOf(
  method: MethodModel,
  elements: readonly string[],
  deciding: ReadonlySet<number>,
): readonly string[] {
  const { params, paramsType, paramStructure } = method;
  const lastRequired = params.findLastIndex(({ required }) => required);
  if (paramStructure === 'by-name') {
    if (params.length === 0) return [];
    return [`params${lastRequired < 0 ? '?' : ''}: T.${paramsType}`];
  }
  return params.map(({ identifier, required }, index) => {
    const type = deciding.has(index) ? `P${index}` : elements[index]!;
    if (index > lastRequired) return `${identifier}?: ${type}`;
    return `${identifier}: ${required ? type : `${type} | undefined`}`;
  });
}

/** Declares type parameters for the literal types of params that decide the result. */
function typeParametersOf(
  method: MethodModel,
  elements: readonly string[],
  deciding: ReadonlySet<number>,
): string {
  const parameters = [...deciding]
    .toSorted((a, b) => a - b)
    .filter((index) => index in method.params)
    .map((index) => {
      const isOptional = !method.params[index]!.required;
      const type = `${elements[index]!}${isOptional ? ' | undefined' : ''}`;
      return `const P${index} extends ${type}${isOptional ? ' = undefined' : ''}`;
    });
  return parameters.length === 0 ? '' : `<${parameters.join(', ')}>`;
}

/** Names the call options so that they differ from the method's own parameters. */
function optionsName({ params }: MethodModel): string {
  const taken = new Set(params.map(({ identifier }) => identifier));
  let name = 'options';
  while (taken.has(name)) name = `call${name[0]!.toUpperCase()}${name.slice(1)}`;
  return name;
}

/** Writes the result as a conditional type over `P`, the params. */
async function caseType(
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

function documentMethod(
  model: Model,
  method: MethodModel,
  classNames: ReadonlyMap<ErrorModel, string>,
): string {
  const { result, externalDocs, deprecated } = method;
  const [summary, description] = textsOf(method);
  const [first = '', ...remarks] = [summary, description, costText(method)]
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const link = externalDocs?.['url'];
  const params = method.paramStructure === 'by-name' ? [] : method.params;
  const tags = [
    ...params.flatMap((each) => tagsOf(`@param ${each.identifier} -`, aboutOf(each))),
    ...(result === null ? [] : tagsOf('@returns', aboutOf(result))),
    ...describeThrown(method, model, classNames).map(({ names, what }) => {
      const list = (names.length === 0 ? ['RpcError'] : names).map((each) => `\`${each}\``);
      return { name: '@throws', text: `${list.join(', ')} (${what})` };
    }),
    ...(typeof link === 'string' ? tagsOf('@see', onOneLine(link)) : []),
    ...deprecatedTag(deprecated),
  ];
  return docComment([first], tags, remarks);
}

function tagsOf(name: string, text: string): readonly Tag[] {
  return text === '' ? [] : [{ name, text }];
}
