import { hasNamed } from './facts.ts';
import type { CallOptions } from './options.ts';
import type { Params } from './transport.ts';

/** How a method is called. What is not there is what most methods are. */
export interface Route {
  /** The client's member, where it is not the method's name with its words joined. */
  readonly member?: string;
  /** How many arguments the member takes before the call options. */
  readonly arity: number;
  /** What a call costs. */
  readonly credits?: number;
  /** A call changes nothing, so that it may be sent twice. */
  readonly reads?: boolean;
  /** Parameters go by name: the one argument, if there is any, is an object. */
  readonly named?: boolean;
  /** The parameters' names in order, where a gap among the arguments makes them go by name. */
  readonly names?: readonly string[];
  readonly notification?: boolean;
}

/**
 * Splits the arguments of a client's member into parameters and call options, which come last.
 * @throws TypeError when there are more arguments than the member has.
 */
export function readArguments(
  { arity, named, names }: Route,
  args: readonly unknown[],
): { readonly params: Params; readonly options: CallOptions | undefined } {
  if (args.length > arity + 1)
    throw new TypeError(`pass ${arity} arguments and options, not ${args.length}`);
  const options = args[arity] as CallOptions | undefined;
  const params = args.slice(0, arity);
  if (hasNamed && named) return { params: (params[0] ?? {}) as Params, options };
  // What is left out at the end makes the list shorter.
  while (params.length > 0 && params.at(-1) === undefined) params.pop();
  // Before a given one it makes the parameters go by name; JSON writes null in a list.
  if (hasNamed && names && params.includes(undefined)) {
    return {
      params: Object.fromEntries(params.map((each, index) => [names[index], each])),
      options,
    };
  }
  return { params, options };
}
