import type { CallOptions } from './options.ts';
import type { Params } from './transport.ts';

/** How a client's member becomes a call. */
export interface Route {
  readonly method: string;
  /** The parameters' names, in order. */
  readonly params: readonly string[];
  readonly structure: 'by-position' | 'by-name' | 'either';
  readonly notification: boolean;
}

/** A member's arguments, told apart. */
export interface CallArguments {
  readonly params: Params;
  readonly options: CallOptions;
}

/**
 * Splits the arguments of a client's member into parameters and call options, which come last.
 * @throws TypeError when there are more arguments than the member has.
 */
export function readArguments(route: Route, args: readonly unknown[]): CallArguments {
  const byName = route.structure === 'by-name';
  const arity = byName ? Math.min(route.params.length, 1) : route.params.length;
  if (args.length > arity + 1) {
    throw new TypeError(
      `${route.method} takes ${arity} arguments and call options, not ${args.length}`,
    );
  }
  const options = (args[arity] ?? {}) as CallOptions;
  if (byName) return { params: (arity === 0 ? {} : (args[0] ?? {})) as Params, options };
  return { params: readPositional(route, args.slice(0, arity)), options };
}

/**
 * Leaves out what is undefined. At the end that is simply shorter; before a given one the parameters
 * go by name where the method allows it, else null stands there, for a JSON array has no holes.
 */
function readPositional(route: Route, args: readonly unknown[]): Params {
  let length = args.length;
  while (length > 0 && args[length - 1] === undefined) length -= 1;
  const given = args.slice(0, length);
  if (!given.includes(undefined)) return given;
  if (route.structure === 'by-position') return given.map((arg) => arg ?? null);
  const named = route.params.map((name, index): [string, unknown] => [name, given[index]]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}
