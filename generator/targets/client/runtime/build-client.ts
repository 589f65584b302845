import { readArguments, type Route } from './call-arguments.ts';
import { createCaller } from './caller.ts';
import type { CatalogueRow } from './error-catalogue.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { Params } from './transport.ts';

/** What the document says of its methods and errors, as far as calls need it. */
export interface Tables {
  /** By the name of the client's member. */
  readonly routes: Readonly<Record<string, Route>>;
  readonly catalogue: readonly CatalogueRow[];
}

/** A request in the shape of EIP-1193. */
export interface RequestArguments {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** The members every client has, whatever its document. */
export interface AnyClient {
  request(request: RequestArguments, options?: CallOptions): Promise<unknown>;
  close(): void;
}

/**
 * Makes a client: a member per route, `request` and `close`.
 * @throws TypeError when an option cannot be used.
 */
export function buildClient(options: ClientOptions, tables: Tables): AnyClient {
  const call = createCaller(options, tables.catalogue);
  const notifications = new Set(
    Object.values(tables.routes)
      .filter((route) => route.notification)
      .map((route) => route.method),
  );
  const members = Object.entries(tables.routes).map(([member, route]) => [
    member,
    async (...args: readonly unknown[]): Promise<unknown> => {
      const { params, options } = readArguments(route, args);
      const { method, notification } = route;
      return call({ method, params, notification }, options);
    },
  ]);
  return {
    ...Object.fromEntries(members),
    request: async ({ method, params }: RequestArguments, options: CallOptions = {}) =>
      call({ method, params, notification: notifications.has(method) }, options),
    close: (): void => options.transport.close?.(),
  };
}
