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
 * Arguments beyond those stay with the parameters: the server says what is wrong with them.
 */
export function readArguments(
  route: Route,
  args: unknown[],
): readonly [params: Params, options: CallOptions | undefined] {
  const [options] = args.splice(route.arity, 1) as [CallOptions?];
  // What is left out at the end makes the list shorter.
  while (args.length && args.at(-1) === undefined) args.pop();
  return [
    hasNamed && route.named
      ? ((args[0] ?? {}) as Params)
      : hasNamed && route.names && args.includes(undefined)
        ? // Before a given one it makes the parameters go by name; JSON writes null in a list.
          Object.fromEntries(args.map((each, index) => [route.names![index], each]))
        : args,
    options,
  ];
}
