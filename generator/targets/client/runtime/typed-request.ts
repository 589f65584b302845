import type { CallOptions, PendingCall } from './options.ts';
import type { Params } from './transport.ts';
import type { Widen } from './widen.ts';

/** What a method's `params` may be: the document's own methods by their types, others anything. */
export type ParamsOf<Methods, Method extends string> = Method extends keyof Methods
  ? Methods[Method] extends { readonly params: infer Own }
    ? Own
    : never
  : Params;

/** `params` may be left out where the method can do without them. */
type Needed<Own> =
  Record<string, never> extends Own ? object : [] extends Own ? object : { readonly params: Own };

/** What `request` takes for a method. */
export type RequestOf<Methods, Method extends string, Given = ParamsOf<Methods, Method>> = {
  readonly method: Method;
  readonly params?: Given | undefined;
} & Needed<ParamsOf<Methods, Method>>;

/** Stands for the type of the params a call is made with, in the results that depend on them. */
export declare const given: unique symbol;

/** What `request` gives for a method called with params of the type `Given`. */
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

/** The type of `Of[Key]`, undefined where there is none: what cases look at in params. */
export type Member<Of, Key extends PropertyKey> = Of extends object
  ? Key extends keyof Of
    ? Of[Key]
    : undefined
  : undefined;

/**
 * The `request` function of EIP-1193, typed by method. It serves as viem's custom transport and as
 * ethers' Eip1193Provider, and takes methods the document does not have.
 */
export type TypedRequest<Methods, Cases = object, Wide = never> = <
  const Method extends (keyof Methods & string) | (string & {}),
  const Given extends ParamsOf<Methods, Method>,
>(
  request: RequestOf<Methods, Method, Given>,
  options?: CallOptions,
) => PendingCall<Widen<ResultOf<Methods, Method, Cases, Given>, Wide>>;
