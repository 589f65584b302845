import type { MethodModel } from '../../model/model.ts';
import { literal } from '../literal.ts';
import { creditsOf } from './credits.ts';
import type { ErrorClass } from './error-classes.ts';
import { documentMethod } from './method-doc.ts';

/** What the templates are told of a method; everything but the flags is TypeScript as text. */
export interface MethodView {
  readonly doc: string;
  readonly identifier: string;
  /** The wire's name as a literal. */
  readonly name: string;
  /** The wire's name as a key of an object literal. */
  readonly key: string;
  /** The parameters of the member, call options included. */
  readonly signature: string;
  readonly resultType: string;
  readonly paramNames: string;
  readonly structure: string;
  readonly notification: string;
  readonly isPriced: boolean;
  readonly credits: string;
}

/** Writes a method as the templates need it. */
export function viewMethod(method: MethodModel, classes: readonly ErrorClass[]): MethodView {
  const credits = creditsOf(method);
  return {
    doc: documentMethod(method, classes),
    identifier: method.identifier,
    name: literal(method.name),
    // As a plain key it would set the prototype.
    key: method.name === '__proto__' ? '["__proto__"]' : literal(method.name),
    signature: [...parametersOf(method), `${optionsName(method)}?: CallOptions`].join(', '),
    resultType: method.result === null ? 'void' : `T.${method.resultType}`,
    paramNames: literal(method.params.map(({ name }) => name)),
    structure: literal(method.paramStructure),
    notification: literal(method.result === null),
    isPriced: credits !== null,
    credits: literal(credits),
  };
}

/**
 * The parameters of a member: the method's own in their order, or one object by name. An optional one
 * with a required one behind it is passed as undefined.
 */
function parametersOf(method: MethodModel): readonly string[] {
  const { params, paramsType, paramStructure } = method;
  const lastRequired = params.findLastIndex(({ required }) => required);
  if (paramStructure === 'by-name') {
    if (params.length === 0) return [];
    return [`params${lastRequired < 0 ? '?' : ''}: T.${paramsType}`];
  }
  const tuple =
    paramStructure === 'either' ? `Extract<T.${paramsType}, unknown[]>` : `T.${paramsType}`;
  return params.map(({ identifier, required }, index) => {
    const type = `${tuple}[${index}]`;
    if (index > lastRequired) return `${identifier}?: ${type}`;
    return `${identifier}: ${required ? type : `${type} | undefined`}`;
  });
}

/** The name of the call options beside the method's own parameters. */
function optionsName({ params }: MethodModel): string {
  const taken = new Set(params.map(({ identifier }) => identifier));
  let name = 'options';
  while (taken.has(name)) name = `call${name[0]!.toUpperCase()}${name.slice(1)}`;
  return name;
}
