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

/** A process that runs the package: a call is a line of input, its answer a line of output. */
interface PythonProcess {
  call(asked: object): Promise<unknown>;
}

const CALL_TIMEOUT_MS = 30_000;

function startPython(url: string): { client: PythonProcess; close(): Promise<void> } {
  const script = join(import.meta.dirname, 'python_calls.py');
  const env = { ...process.env, PYTHONPATH: ownPackage, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python!, [script, url], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  return {
    client: {
      async call(asked) {
        const answered = once(lines, 'line', { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
        child.stdin.write(`${JSON.stringify(asked)}\n`);
        const [line] = (await answered) as [string];
        const { error, result } = JSON.parse(line) as { error?: string; result?: unknown };
        if (error !== undefined) throw new Error(error);
        return result;
      },
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

const pythonFunctionOf = (method: MethodName): string =>
  isPriced(method) ? snakeCase(method) : 'request';

export const pythonClient: Library = {
  ...defineLibrary<PythonProcess>({
    name: 'generated Python',
    version,
    group,
    transports: { http: startPython, websocket: startPython },
    raw: {
      functionOf: pythonFunctionOf,
      call: (client, method, params) =>
        client.call({ function: pythonFunctionOf(method), method, params }),
    },
  }),
  isSkipped: python === null,
};
