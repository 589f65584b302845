import type { CallOptions } from './options.ts';
import type { Params } from './transport.ts';

/** `params` may be left out where the method can do without them. */
type ParamsMember<P> =
  Record<string, never> extends P
    ? { readonly params?: P | undefined }
    : [] extends P
      ? { readonly params?: P | undefined }
      : { readonly params: P };

/** What `request` takes for a method: typed for the document's own, anything for another. */
export type RequestOf<Methods, Method extends string> = {
  readonly method: Method;
} & (Method extends keyof Methods
  ? Methods[Method] extends { readonly params: infer P }
    ? ParamsMember<P>
    : never
  : { readonly params?: Params | undefined });

/** What `request` gives for a method. */
export type ResultOf<Methods, Method extends string> = Method extends keyof Methods
  ? Methods[Method] extends { readonly result: infer R }
    ? R
    : never
  : unknown;

/**
 * The `request` function of EIP-1193, typed by method. It serves as viem's custom transport and as
 * ethers' Eip1193Provider, and takes methods the document does not have.
 */
export type TypedRequest<Methods> = <const Method extends (keyof Methods & string) | (string & {})>(
  request: RequestOf<Methods, Method>,
  options?: CallOptions,
) => Promise<ResultOf<Methods, Method>>;
