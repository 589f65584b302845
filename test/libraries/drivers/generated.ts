/** The clients that are generated from the document, in TypeScript and in Python. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as sdk from '../../../generated/client/src/index.ts';
import { ownPackage, python } from '../../python/support/python.ts';
import { document } from '../../support/document.ts';
import type { Case, MethodName } from '../cases.ts';
import { defineLibrary, type Library } from '../library.ts';

const { version } = document.info;
const group = 'JSON-RPC clients';

const isPriced = (method: MethodName): boolean =>
  document.methods.some(({ name }) => name === method);

const camelCase = (method: string): string =>
  method.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase());

const snakeCase = (method: string): string =>
  method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Client = ReturnType<typeof sdk.createClient>;
type Call = (...params: Case['params']) => Promise<unknown>;

export const typeScriptClient = defineLibrary<Client>({
  name: 'generated TypeScript',
  version,
  group,
  transports: {
    http: (url) => ({ client: sdk.createClient({ transport: sdk.http({ url }) }) }),
    websocket: (url) => {
      const client = sdk.createClient({ transport: sdk.webSocket({ url }) });
      return { client, close: () => client.close() };
    },
  },
  raw: {
    functionOf: (method) => (isPriced(method) ? camelCase(method) : 'request'),
    call: (client, method, params) =>
      isPriced(method)
        ? (client as unknown as Record<string, Call>)[camelCase(method)]!(...params)
        : client.request({ method, params } as never),
  },
});

/** Makes a call in a process that runs the package. */
type PythonCall = (asked: object) => Promise<unknown>;

const CALL_TIMEOUT_MS = 30_000;

function startPython(): { call: PythonCall; stop(): Promise<void> } {
  const script = join(import.meta.dirname, 'python_calls.py');
  const env = { ...process.env, PYTHONPATH: ownPackage, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python!, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  return {
    async call(asked) {
      const answered = once(lines, 'line', { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
      child.stdin.write(`${JSON.stringify(asked)}\n`);
      const [line] = (await answered) as [string];
      const { error, result } = JSON.parse(line) as { error?: string; result?: unknown };
      if (error !== undefined) throw new Error(error);
      return result;
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

/** The process that all open connections share, because starting one takes longer than its calls. */
let shared: ReturnType<typeof startPython> | undefined;
let connections = 0;

function connectPython(url: string): { client: PythonCall; close(): Promise<void> } {
  shared ??= startPython();
  connections += 1;
  const { call, stop } = shared;
  return {
    client: (asked) => call({ url, ...asked }),
    async close() {
      connections -= 1;
      if (connections > 0) return;
      shared = undefined;
      await stop();
    },
  };
}

const pythonFunctionOf = (method: MethodName): string =>
  isPriced(method) ? snakeCase(method) : 'request';

export const pythonClient: Library = {
  ...defineLibrary<PythonCall>({
    name: 'generated Python',
    version,
    group,
    transports: { http: connectPython, websocket: connectPython },
    raw: {
      functionOf: pythonFunctionOf,
      call: (client, method, params) =>
        client({ function: pythonFunctionOf(method), method, params }),
    },
  }),
  isSkipped: python === null,
};
