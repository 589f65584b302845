import { atLeast } from './bounds.ts';
import { readArguments, type Route } from './call-arguments.ts';
import type { CallOptions, ClientOptions, PendingCall, WithResponse } from './options.ts';
import type { Answer, Call, Params } from './transport.ts';
import { withHooks } from './with-hooks.ts';
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
  const { transport, timeoutMs = 30_000, onRetry } = options;
  atLeast(1, 'timeoutMs', timeoutMs);
  const send = withRetry(withHooks(transport, options), {
    retries: atLeast(0, 'retries', options.retries ?? 3),
    backoffMs: atLeast(0, 'backoffMs', options.backoffMs ?? 150),
    maxBackoffMs: atLeast(0, 'maxBackoffMs', options.maxBackoffMs ?? 10_000),
    onRetry,
  });

  const start = (
    { credits = null }: { readonly credits?: number | null },
    prepare: () => { readonly call: Call; readonly options: CallOptions | undefined },
  ): PendingCall<unknown> => {
    const answered = (async () => {
      const { call, options: own } = prepare();
      const limitMs = atLeast(1, 'timeoutMs', own?.timeoutMs ?? timeoutMs);
      const signal = own?.signal ?? new AbortController().signal;
      return withTimeout(send, limitMs)(call, { signal, attempt: 1 });
    })();
    const pending = answered.then(({ result }) => result);
    return Object.assign(pending, {
      withResponse: () => {
        // Whoever asks for the whole is told of a failure there.
        pending.catch(() => {});
        return answered.then((answer) => describe(answer, credits));
      },
    });
  };

  const byMethod = new Map(Object.values(routes).map((route) => [route.method, route]));
  const client: Record<string, unknown> = {
    request: ({ method, params }: RequestArguments, own?: CallOptions) => {
      const route = byMethod.get(method) ?? {};
      return start(route, () => ({ call: { ...route, method, params }, options: own }));
    },
    close: (): void => transport.close?.(),
  };
  for (const [member, route] of Object.entries(routes)) {
    client[member] = (...args: readonly unknown[]) =>
      start(route, () => {
        const { params, options: own } = readArguments(route, args);
        return { call: { ...route, params }, options: own };
      });
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
