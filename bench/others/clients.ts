import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ClientRow {
  readonly document: string;
  /** How many errors the compiler finds, or why there is no client. */
  readonly ours: string;
  readonly theirs: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const LIMIT_MS = 120_000;

/** Public documents, ours, and the hard cases of our tests that are one JSON file. */
const documents = [
  'node_modules/@open-rpc/examples/build/service-descriptions/*.json',
  'node_modules/@metamask/api-specs/dist/build/*.json',
  'openrpc.json',
  'test/generator/documents/*.json',
];

/** Generates a client of each document with both tools, and compiles both under the same options. */
export async function compareClients(folder: string): Promise<readonly ClientRow[]> {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const rows: ClientRow[] = [];
  for (const path of globSync(documents, { cwd: root }).toSorted()) {
    const document = relative(root, join(root, path)).replace(/^node_modules\//, '');
    const own = join(folder, String(rows.length));
    await mkdir(own);
    await copyFile(join(root, path), join(own, 'openrpc.json'));
    rows.push({
      document: `${dirname(document).split('/').slice(0, 2).join('/')}: ${basename(document)}`,
      ours: await tryOurs(own),
      theirs: await tryTheirs(own),
    });
  }
  return rows;
}

async function tryOurs(cwd: string): Promise<string> {
  const args = [join(root, 'bin/specgate.ts'), 'generate', 'openrpc.json', '--out', 'ours'];
  const failure = await run(args, cwd);
  return failure ?? compile(cwd, 'ours', 'ours/client/src/index.ts');
}

async function tryTheirs(cwd: string): Promise<string> {
  const component = { type: 'client', name: 'theirs', language: 'typescript' };
  const config = { openrpcDocument: './openrpc.json', outDir: 'theirs', components: [component] };
  await writeFile(join(cwd, 'config.json'), JSON.stringify(config));
  const cli = join(dirname(require.resolve('@open-rpc/generator/package.json')), 'build/cli.js');
  const failure = await run(
    ['--max-old-space-size=2048', cli, 'generate', '-c', 'config.json'],
    cwd,
  );
  return failure ?? compile(cwd, 'theirs', 'theirs/client/typescript/src/index.ts');
}

async function compile(cwd: string, name: string, file: string): Promise<string> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  await writeFile(join(cwd, `${name}.json`), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { stdout } = await settle([tsc, '-p', `${name}.json`, '--pretty', 'false'], cwd);
  return String(stdout.split('\n').filter((line) => / error TS\d+:/.test(line)).length);
}

/** Why it failed, in short; undefined when it did not. */
async function run(args: readonly string[], cwd: string): Promise<string | undefined> {
  const { code, stderr, stdout } = await settle(args, cwd);
  if (code === 0) return undefined;
  if (/heap out of memory/.test(stderr)) return 'out of memory';
  const line = `${stderr}\n${stdout}`.split('\n').find((each) => /error/i.test(each)) ?? '';
  return code === null ? 'no end' : `fails: ${line.trim().slice(0, 60)}`;
}

function settle(
  args: readonly string[],
  cwd: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
