import { readNumber } from './bounds.ts';
import { joinWords } from './error-name.ts';
import { hasMembers, hasNamed, hasNotifications } from './facts.ts';
import type { CallOptions, ClientOptions, PendingCall, WithResponse } from './options.ts';
import type { Params, ResponseInfo } from './transport.ts';
import { createRetry } from './with-retry.ts';
import { sendWithin } from './with-timeout.ts';

/** How to call a method. A list, to keep clients small: each contains all routes. */
export type Route = readonly [
  /** Number of arguments before the call options. */
  arity: number,
  /** The price of a call. */
  credits?: number | null,
  /** True if a call changes nothing, so that it can be sent twice. */
  reads?: boolean,
  other?: UncommonFacts,
];

interface UncommonFacts {
  /** The client's member, if it is not the method's name with its words joined. */
  readonly member?: string;
  /** True if the only argument is an object of params by name. */
  readonly named?: boolean;
  /** Parameter names, to send params by name when an argument before the last is omitted. */
  readonly names?: readonly string[];
  readonly notification?: boolean;
}

/** A request in the shape of EIP-1193. */
export interface RequestArguments {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** The members that all clients have. */
export interface AnyClient {
  request(request: RequestArguments, options?: CallOptions): PendingCall<unknown>;
  close(): void;
}

/**
 * Creates a client with a member per route (by method name), `request` and `close`.
 * @throws TypeError when an option is invalid.
 */
export function buildClient(
  options: ClientOptions<unknown>,
  routes: Readonly<Record<string, Route>>,
): AnyClient {
  const { transport } = options;
  const limitMs = readNumber(options, 'timeoutMs', 30_000, 1);
  const send = createRetry(transport, options);

  const start = (
    method: string,
    params: Params | undefined,
    own: CallOptions = {},
  ): PendingCall<unknown> => {
    // An inherited member such as `toString` has none of a route's elements.
    const route = routes[method];
    let response: ResponseInfo | null;
    const call = { method, params, reads: route?.[2] };
    if (hasNotifications) Object.assign(call, { notification: route?.[3]?.notification });
    const answered = sendWithin(send, call, own, limitMs);
    const pending = answered.then((answer) => {
      response = answer.response;
      return answer.result;
    });
    const withResponse = async (): Promise<WithResponse<unknown>> => {
      const result = await pending;
      const { status = null, headers = null, calls } = response ?? {};
      // The header of a batch holds the cost of all its calls.
      const cost = calls === 1 && headers?.get('x-credits-cost');
      const credits = cost ? +cost : (route?.[1] ?? null);
      return {
        result,
        credits,
        headers,
        status,
        requestId: headers?.get('x-request-id') ?? null,
      };
    };
    return Object.assign(pending, { withResponse });
  };

  const client: Record<string, unknown> = {
    request: ({ method, params }: RequestArguments, own?: CallOptions) =>
      start(method, params, own),
    close: (): void => transport.close?.(),
  };
  for (const [method, route] of Object.entries(routes)) {
    client[(hasMembers && route[3]?.member) || joinWords(method)] = (...args: unknown[]) =>
      start(method, ...readArguments(route, args));
  }
  return client as unknown as AnyClient;
}

/**
 * Splits the arguments of a client's member into params and call options. Excess arguments stay with
 * the params, for the server to reject.
 */
export function readArguments(
  [arity, , , other]: Route,
  args: unknown[],
): readonly [params: Params, options: CallOptions | undefined] {
  const [options] = args.splice(arity, 1) as [CallOptions?];
  while (args.length && args.at(-1) === undefined) args.pop();
  return [
    hasNamed && other?.named
      ? ((args[0] ?? {}) as Params)
      : hasNamed && other?.names && args.includes(undefined)
        ? // JSON would write a gap in a list as null.
          Object.fromEntries(args.map((each, index) => [other.names![index], each]))
        : args,
    options,
  ];
}
