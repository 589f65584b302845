import type { CallOptions, PendingCall } from './options.ts';
import type { Params } from './transport.ts';

/** The params of a method; any params for a method that is not in the document. */
export type ParamsOf<Methods, Method extends string> = Method extends keyof Methods
  ? Methods[Method] extends { readonly params: infer Own }
    ? Own
    : never
  : Params;

/** Makes `params` required unless the method can be called without. */
type RequiredParams<Own> =
  Record<string, never> extends Own ? object : [] extends Own ? object : { readonly params: Own };

/** The argument of `request` for a method. */
export type RequestOf<Methods, Method extends string, Given = ParamsOf<Methods, Method>> = {
  readonly method: Method;
  readonly params?: Given | undefined;
} & RequiredParams<ParamsOf<Methods, Method>>;

/** Key of the params' type in result types that depend on it. */
export declare const given: unique symbol;

/** The result of `request` for a method called with params of the type `Given`. */
export type ResultOf<
  Methods,
  Method extends string,
  Cases = object,
  Given = unknown,
> = Method extends keyof Methods
  ? Method extends keyof Cases
    ? (Cases & { readonly [given]: Given })[Method]
    : PlainResult<Methods[Method]>
  : unknown;

type PlainResult<Method> = Method extends { readonly result: infer Result } ? Result : never;

/** The type of `Of[Key]`, or undefined. */
export type Member<Of, Key extends PropertyKey> = Of extends object
  ? Key extends keyof Of
    ? Of[Key]
    : undefined
  : undefined;

/**
 * The `request` function of EIP-1193, typed by method. It accepts methods that are not in the document.
 */
export type TypedRequest<Methods, Cases = object, Wide = never> = <
  const Method extends (keyof Methods & string) | (string & {}),
  const Given extends ParamsOf<Methods, Method>,
>(
  request: RequestOf<Methods, Method, Given>,
  options?: CallOptions,
) => PendingCall<Widen<ResultOf<Methods, Method, Cases, Given>, Wide>>;

/** A result type whose integers may also be `Wide`, for integers beyond 2^53. */
export type Widen<Type, Wide> = [Wide] extends [never]
  ? Type
  : Type extends number
    ? Type | Wide
    : Type extends object
      ? { [Key in keyof Type]: Widen<Type[Key], Wide> }
      : Type;
