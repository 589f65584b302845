import { readNumbers } from './bounds.ts';
import { readArguments, type Route } from './call-arguments.ts';
import type { CallOptions, ClientOptions, PendingCall, WithResponse } from './options.ts';
import type { Answer, Params } from './transport.ts';
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
 * Makes a client: a member per route (by the member's name), `request` and `close`.
 * @throws TypeError when an option cannot be used.
 */
export function buildClient(
  options: ClientOptions<unknown>,
  routes: Readonly<Record<string, Route>>,
): AnyClient {
  const { transport } = options;
  const { timeoutMs } = readNumbers(options, { timeoutMs: [1, 30_000] });
  const send = withRetry(transport, options);

  const start = (
    route: Partial<Route>,
    read: () => RequestArguments & { readonly options: CallOptions | undefined },
  ): PendingCall<unknown> => {
    const answered = (async () => {
      const { method, params, options: own } = read();
      const { notification, reads } = route;
      const limit = own ? readNumbers(own, { timeoutMs: [1, timeoutMs] }) : { timeoutMs };
      const call = { method, params, notification, reads };
      const signal = own?.signal as AbortSignal;
      return withTimeout(send, limit.timeoutMs)(call, { signal, attempt: 1 });
    })();
    const pending = answered.then(({ result }) => result);
    return Object.assign(pending, {
      withResponse: () => {
        // Whoever asks for the whole is told of a failure there.
        pending.catch(() => {});
        return answered.then((answer) => describe(answer, route.credits ?? null));
      },
    });
  };

  const byMethod = new Map<string, Route>();
  const client: Record<string, unknown> = {
    request: (request: RequestArguments, own?: CallOptions) =>
      start(byMethod.get(request.method) ?? {}, () => ({ ...request, options: own })),
    close: (): void => transport.close?.(),
  };
  for (const [member, route] of Object.entries(routes)) {
    const { method } = route;
    byMethod.set(method, route);
    client[member] = (...args: readonly unknown[]) =>
      start(route, () => ({ method, ...readArguments(route, args) }));
  }
  return client as unknown as AnyClient;
}

function describe({ result, response }: Answer, credits: number | null): WithResponse<unknown> {
  const header = (name: string): string | null => response?.headers.get(name) ?? null;
  // A batch's header tells the cost of all its calls.
  const cost = response?.calls === 1 ? header('x-credits-cost') : null;
  return {
    result,
    credits: cost === null ? credits : Number(cost),
    headers: response && response.headers,
    status: response && response.status,
    requestId: header('x-request-id'),
  };
}
