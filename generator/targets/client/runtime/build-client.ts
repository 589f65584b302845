import { readNumber } from './bounds.ts';
import { readArguments, type Route } from './call-arguments.ts';
import { hasMembers } from './facts.ts';
import type { CallOptions, ClientOptions, PendingCall, WithResponse } from './options.ts';
import { joinWords } from './error-name.ts';
import type { Params } from './transport.ts';
import { createRetry } from './with-retry.ts';
import { sendWithin } from './with-timeout.ts';

/** A request in the shape of EIP-1193. */
export interface RequestArguments {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** The members every client has, whatever its document. */
export interface AnyClient {
  request(request: RequestArguments, options?: CallOptions): PendingCall<unknown>;
  close(): void;
}

/**
 * Makes a client: a member per route (which are by method), `request` and `close`.
 * @throws TypeError when an option cannot be used.
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
    // What an object has without being told (`toString`) has nothing of a route.
    const route = routes[method];
    const answered = sendWithin(send, { ...route, method, params }, own, limitMs);
    const pending = answered.then(({ result }) => result);
    const withResponse = async (): Promise<WithResponse<unknown>> => {
      // Whoever asks for the whole is told of a failure there.
      pending.catch(() => {});
      const { result, response } = await answered;
      const { status = null, headers = null, calls } = response ?? {};
      // A batch's header tells the cost of all its calls.
      const cost = calls === 1 && headers?.get('x-credits-cost');
      const credits = cost ? +cost : (route?.credits ?? null);
      const requestId = headers?.get('x-request-id') ?? null;
      return { result, credits, headers, status, requestId };
    };
    return Object.assign(pending, { withResponse });
  };

  const client: Record<string, unknown> = {
    request: ({ method, params }: RequestArguments, own?: CallOptions) =>
      start(method, params, own),
    close: (): void => transport.close?.(),
  };
  for (const [method, route] of Object.entries(routes)) {
    client[(hasMembers && route.member) || joinWords(method)] = (...args: unknown[]) =>
      start(method, ...readArguments(route, args));
  }
  return client as unknown as AnyClient;
}
