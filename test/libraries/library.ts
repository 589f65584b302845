/** A client library as the test runs it: how it connects, and how it makes each call. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { essenceOf, type Case, type MethodName, type Params } from './cases.ts';

export const transportNames = { http: 'HTTP', websocket: 'WebSocket' } as const;
export type Transport = keyof typeof transportNames;

export const groups = ['Ethereum libraries', 'Solana libraries', 'JSON-RPC clients'] as const;

/** One connection of a library to one network. */
export interface Session {
  /** Makes the call and checks its result. */
  run(asked: Case): Promise<void>;
  close(): void | Promise<void>;
}

export interface Library {
  readonly name: string;
  readonly version: string;
  readonly group: (typeof groups)[number];
  /** Where its requests come from, if the library itself is not run because npm does not have it. */
  readonly source?: string;
  /** A method that the library calls on its own over a transport, and that the gateway refuses without harm. */
  readonly refused?: Readonly<Partial<Record<Transport, string>>>;
  /** Why the library has no such transport. */
  readonly without: Readonly<Partial<Record<Transport, string>>>;
  /** Why the library is not run, such as a missing program. */
  readonly isSkipped?: boolean;
  /** Returns the name of the function that makes the call; undefined if the library has none. */
  functionOf(method: MethodName): string | undefined;
  open(transport: Transport, url: string): Promise<Session>;
}

/** A function of the library for one method. It resolves to the part of its result that `essenceOf` names. */
interface OwnCall<Client, M extends MethodName> {
  readonly name: string;
  call(client: Client, params: Params<M>): Promise<unknown>;
}

interface Opened<Client> {
  readonly client: Client;
  close?(): void | Promise<void>;
}

type Connect<Client> = (url: string) => Opened<Client> | Promise<Opened<Client>>;

interface Driver<Client> {
  readonly name: string;
  readonly version: string;
  readonly group: Library['group'];
  readonly refused?: NonNullable<Library['refused']>;
  /** How to connect, or why the library has no such transport. */
  readonly transports: Readonly<Record<Transport, Connect<Client> | string>>;
  readonly own?: { readonly [M in MethodName]?: OwnCall<Client, M> };
  /** The function that calls any method by name; it makes the calls that the library has no function for. */
  readonly raw?: {
    functionOf(method: MethodName): string;
    call(client: Client, method: MethodName, params: Case['params']): Promise<unknown>;
  };
}

export function defineLibrary<Client>(driver: Driver<Client>): Library {
  const { name, version, group, refused = {}, transports, own = {}, raw } = driver;
  const isOffered = (method: MethodName): boolean =>
    group !== 'Ethereum libraries' || method !== 'getProgramAccounts';
  const ownOf = (method: MethodName) => own[method] as OwnCall<Client, MethodName> | undefined;
  const missing = Object.entries(transports).filter(([, connect]) => typeof connect === 'string');
  return {
    name,
    version,
    group,
    refused,
    without: Object.fromEntries(missing),
    functionOf: (method) =>
      isOffered(method) ? (ownOf(method)?.name ?? raw?.functionOf(method)) : undefined,
    async open(transport, url) {
      const { client, close = () => {} } = await (transports[transport] as Connect<Client>)(url);
      return {
        async run(asked) {
          const { method, params, result } = asked;
          const call = ownOf(method);
          if (call === undefined) {
            expect(await raw!.call(client, method, params)).toEqual(result);
          } else {
            const given = structuredClone(params) as unknown as Params<MethodName>;
            expect(await call.call(client, given)).toEqual(essenceOf(asked));
          }
        },
        close,
      };
    },
  };
}

/** Returns the version of an installed package. */
export function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
