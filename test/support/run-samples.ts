/** Runs the samples of the documentation as a reader would: each as a program of its language. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { clientPackage } from './client-names.ts';

const TIMEOUT_MS = 60_000;
const repository = fileURLToPath(new URL('../../', import.meta.url));

/** What a sample printed, as JSON; integers beyond 2^53 as numbers. */
export type Printed = unknown;

/** The result of a JSON-RPC answer, or its error. */
function outcomeOf(text: string): Printed {
  const { result, error } = JSON.parse(text) as { result?: unknown; error?: unknown };
  return error ?? result;
}

/** Each command in a shell. */
export function runShell(codes: readonly string[]): Promise<readonly Printed[]> {
  return Promise.all(
    codes.map(async (code) => {
      const { stdout } = await promisify(execFile)('sh', ['-c', code], { timeout: TIMEOUT_MS });
      return outcomeOf(stdout);
    }),
  );
}

/** Replaces `npx wscat -c URL -w 2 -x MESSAGE` where wscat is not installed. */
export async function runWscat(codes: readonly string[]): Promise<readonly Printed[]> {
  const printed: Printed[] = [];
  for (const code of codes) {
    const print = code.replace(/^npx wscat /, "printf '%s\\0' ");
    const { stdout } = await promisify(execFile)('sh', ['-c', print], { timeout: TIMEOUT_MS });
    const words = stdout.split('\0');
    const after = (option: string): string => words[words.indexOf(option) + 1]!;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const socket = new WebSocket(after('-c'));
    await once(socket, 'open', { signal });
    socket.send(after('-x'));
    const [message] = (await once(socket, 'message', { signal })) as [Buffer];
    printed.push(outcomeOf(message.toString()));
    socket.close();
  }
  return printed;
}

/** Programs of JavaScript, one after the other in one process. */
export async function runScripts(codes: readonly string[]): Promise<readonly Printed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-samples-'));
  try {
    const files = codes.map((_, index) => join(folder, `sample-${index}.mjs`));
    await Promise.all(files.map((file, index) => writeFile(file, codes[index]!)));
    const runner = join(folder, 'run.mjs');
    await writeFile(runner, scriptRunner(files));
    return JSON.parse(await run(process.execPath, [runner])) as readonly Printed[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Packages are found as in the repository, and what a program prints is kept. */
function scriptRunner(files: readonly string[]): string {
  const fileUrl = (path: string): string => JSON.stringify(`file://${join(repository, path)}`);
  return `import { registerHooks } from 'node:module';
const own = ${fileUrl('package.json')};
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === ${JSON.stringify(clientPackage)}) return next(${fileUrl('generated/client/src/index.ts')}, context);
    const isPackage = !/^(?:[./]|file:|node:)/.test(specifier) && context.parentURL?.includes('/sample-');
    return next(specifier, isPackage ? { ...context, parentURL: own } : context);
  },
});
const printed = [];
console.log = (value) => printed.push(value === undefined ? null : value);
for (const file of ${JSON.stringify(files)}) {
  const before = printed.length;
  await import('file://' + file);
  if (printed.length !== before + 1) throw new Error(file + ' printed ' + (printed.length - before) + ' values');
}
const text = JSON.stringify(printed, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
// Clients may keep sockets open; the output has to be flushed first.
process.stdout.write(text, () => process.exit(0));
`;
}

const PYTHON_RUNNER = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(join(repository, 'generated/python/src'))})
printed = []
for code in json.load(sys.stdin):
    exec(compile(code, "sample", "exec"), {"print": printed.append, "__name__": "__main__"})
json.dump(printed, sys.stdout)
`;

/** Programs of Python, one after the other in one process of `command`. */
export async function runPython(
  command: string,
  codes: readonly string[],
): Promise<readonly Printed[]> {
  const text = await run(command, ['-c', PYTHON_RUNNER], JSON.stringify(codes));
  return JSON.parse(text) as readonly Printed[];
}

async function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { stdio: 'pipe', timeout: TIMEOUT_MS });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}:\n${errors.slice(-4000)}`);
  return output;
}
