import { commentLines, scriptKey } from '../../../common/escape/script.ts';
import { codeSpan } from '../../../common/escape/markdown.ts';
import type { Schema } from '../../../common/json/value.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { literal } from '../literal.ts';
import { creditsOf } from './credits.ts';
import type { ErrorClass } from './error-classes.ts';
import { documentMethod } from './method-doc.ts';
import { caseType, decidingParams, readResultCases } from './result-cases.ts';
import type { Route } from './runtime/call-arguments.ts';
import { joinWords } from './runtime/error-name.ts';

/** What the templates are told of a method; everything but the flags is TypeScript as text. */
export interface MethodView {
  readonly doc: string;
  readonly identifier: string;
  /** The wire's name as a literal. */
  readonly name: string;
  /** The wire's name as a key of an object literal. */
  readonly key: string;
  /** The wire's name as code in a comment. */
  readonly code: string;
  /** Of the member: "<const P1 extends …>", or "". */
  readonly typeParameters: string;
  /** The parameters of the member, call options included. */
  readonly signature: string;
  readonly resultType: string;
  readonly paramsTypeName: string;
  readonly resultTypeName: string;
  /** The conditional type of the result, and what it is called; "" when params decide nothing. */
  readonly cases: string;
  readonly resultOf: string;
  /** How the method is called. */
  readonly route: string;
  /** Whether the client's member is not called after the method. */
  readonly hasMember: boolean;
  readonly isWide: boolean;
  readonly isPriced: boolean;
  readonly credits: string;
}

/** What is the same for all methods. */
export interface MethodContext {
  readonly classes: readonly ErrorClass[];
  /** Whether a schema allows integers beyond 2^53. */
  readonly allowsWide: (schema: Schema) => boolean;
}

/** Writes a method as the templates need it. */
export async function viewMethod(
  model: Model,
  method: MethodModel,
  { classes, allowsWide }: MethodContext,
): Promise<MethodView> {
  const credits = creditsOf(method);
  const route = routeOf(method, credits);
  const cases = readResultCases(method);
  const deciding = decidingParams(cases);
  const resultOf = `${method.resultType}Of`;
  const plain = method.result === null ? 'void' : `T.${method.resultType}`;
  const given = method.params.map((_, index) => (deciding.has(index) ? `P${index}` : 'unknown'));
  const result = cases.length === 0 ? plain : `R.${resultOf}<[${given.join(', ')}]>`;
  const isWide = method.result !== null && allowsWide(method.result.schema);
  const nameOf = (component: string) => `T.${model.schemas.get(component)?.typeName ?? 'unknown'}`;
  return {
    doc: documentMethod(method, classes),
    identifier: method.identifier,
    name: literal(method.name),
    key: scriptKey(method.name),
    code: commentLines(codeSpan(method.name)).join(' '),
    typeParameters: typeParametersOf(method, deciding),
    signature: [...parametersOf(method, deciding), `${optionsName(method)}?: CallOptions`].join(
      ', ',
    ),
    resultType: isWide ? `Widen<${result}, Wide>` : result,
    paramsTypeName: `T.${method.paramsType}`,
    resultTypeName: plain,
    cases: cases.length === 0 ? '' : await caseType(cases, plain, nameOf),
    resultOf,
    route: literal(route),
    hasMember: route.member !== undefined,
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
  return {
    ...(joinWords(name) === identifier ? {} : { member: identifier }),
    arity: isNamed ? Math.min(1, params.length) : params.length,
    ...(credits === null ? {} : { credits }),
    ...(extensions['x-read-only'] === true ? { reads: true } : {}),
    ...(isNamed ? { named: true } : {}),
    ...(paramStructure === 'either' && mayHaveGaps ? { names } : {}),
    ...(result === null ? { notification: true } : {}),
  };
}

/**
 * The parameters of a member: the method's own in their order, or one object by name. An optional one
 * with a required one behind it is passed as undefined.
 */
function parametersOf(method: MethodModel, deciding: ReadonlySet<number>): readonly string[] {
  const { params, paramsType, paramStructure } = method;
  const lastRequired = params.findLastIndex(({ required }) => required);
  if (paramStructure === 'by-name') {
    if (params.length === 0) return [];
    return [`params${lastRequired < 0 ? '?' : ''}: T.${paramsType}`];
  }
  return params.map(({ identifier, required }, index) => {
    const type = deciding.has(index) ? `P${index}` : positionOf(method, index);
    if (index > lastRequired) return `${identifier}?: ${type}`;
    return `${identifier}: ${required ? type : `${type} | undefined`}`;
  });
}

/** The type parameters of a member whose result its arguments decide: their literal types. */
function typeParametersOf(method: MethodModel, deciding: ReadonlySet<number>): string {
  const parameters = method.params.flatMap(({ required }, index) =>
    deciding.has(index)
      ? [`const P${index} extends ${positionOf(method, index)}${required ? '' : ' = undefined'}`]
      : [],
  );
  return parameters.length === 0 ? '' : `<${parameters.join(', ')}>`;
}

function positionOf({ paramsType, paramStructure }: MethodModel, index: number): string {
  const tuple =
    paramStructure === 'either' ? `Extract<T.${paramsType}, unknown[]>` : `T.${paramsType}`;
  return `${tuple}[${index}]`;
}

/** The name of the call options beside the method's own parameters. */
function optionsName({ params }: MethodModel): string {
  const taken = new Set(params.map(({ identifier }) => identifier));
  let name = 'options';
  while (taken.has(name)) name = `call${name[0]!.toUpperCase()}${name.slice(1)}`;
  return name;
}
