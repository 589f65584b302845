import { readNumber } from './bounds.ts';
import { readArguments, type Route } from './call-arguments.ts';
import type { CallOptions, ClientOptions, PendingCall, WithResponse } from './options.ts';
import { joinWords } from './error-name.ts';
import type { Answer, CallContext, Params } from './transport.ts';
import { withRetry } from './with-retry.ts';
import { withTimeout } from './with-timeout.ts';

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
  const timeoutMs = readNumber(options, 'timeoutMs', [1, 30_000]);
  const send = withRetry(transport, options);

  const start = (
    route: Partial<Route>,
    read: () => RequestArguments & { readonly options?: CallOptions | undefined },
  ): PendingCall<unknown> => {
    const answered = new Promise<Answer>((resolve) => {
      const { method, params, options: own = {} } = read();
      const { notification, reads } = route;
      const timed = withTimeout(send, readNumber(own, 'timeoutMs', [1, timeoutMs]));
      resolve(timed({ method, params, notification, reads }, own as CallContext));
    });
    const pending = answered.then(({ result }) => result);
    return Object.assign(pending, {
      withResponse: () => {
        // Whoever asks for the whole is told of a failure there.
        pending.catch(() => {});
        return answered.then((answer) => describe(answer, route.credits));
      },
    });
  };

  const byMethod = new Map(Object.entries(routes));
  const client: Record<string, unknown> = {
    request: (request: RequestArguments, own?: CallOptions) =>
      start(byMethod.get(request.method) ?? {}, () => ({ ...request, options: own })),
    close: (): void => transport.close?.(),
  };
  for (const [method, route] of byMethod) {
    client[route.member ?? joinWords(method)] = (...args: readonly unknown[]) =>
      start(route, () => ({ method, ...readArguments(route, args) }));
  }
  return client as unknown as AnyClient;
}

function describe(
  { result, response }: Answer,
  credits: number | null = null,
): WithResponse<unknown> {
  const { status = null, headers = null, calls } = response ?? {};
  // A batch's header tells the cost of all its calls.
  const cost = calls === 1 && headers?.get('x-credits-cost');
  const requestId = headers?.get('x-request-id') ?? null;
  return { result, credits: cost ? Number(cost) : credits, headers, status, requestId };
}
