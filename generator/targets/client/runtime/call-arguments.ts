import type { CallOptions } from './options.ts';
import type { Params } from './transport.ts';

/** How a client's member becomes a call. What is not there is what most methods are. */
export interface Route {
  readonly method: string;
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
  route: Route,
  args: readonly unknown[],
): { readonly params: Params; readonly options: CallOptions | undefined } {
  const { method, arity, named } = route;
  if (args.length > arity + 1) {
    throw new TypeError(`${method} takes ${arity} arguments and call options, not ${args.length}`);
  }
  const params = named ? (args[0] ?? {}) : readPositional(route, args.slice(0, arity));
  return {
    params: (named && arity === 0 ? {} : params) as Params,
    options: args[arity] as CallOptions | undefined,
  };
}

/**
 * Leaves out what is undefined. At the end that is simply shorter; before a given one the parameters
 * go by name where the method allows it, else null stands there, for a JSON array has no holes.
 */
function readPositional({ names }: Route, args: readonly unknown[]): Params {
  let length = args.length;
  while (length > 0 && args[length - 1] === undefined) length -= 1;
  const given = args.slice(0, length);
  if (names === undefined || !given.includes(undefined)) return given;
  return Object.fromEntries(given.map((arg, index) => [names[index], arg]));
}
