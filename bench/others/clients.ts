import { globSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateOurs, generateTheirs, runNode } from './tools.ts';

export interface ClientRow {
  readonly document: string;
  /** How many errors the compiler finds, or why there is no client. */
  readonly ours: string;
  readonly theirs: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** Public documents, ours, and the hard cases of our tests that are one JSON file. */
const documents = [
  'node_modules/@open-rpc/examples/build/service-descriptions/*.json',
  'node_modules/@metamask/api-specs/dist/build/*.json',
  'openrpc.json',
  'test/generator/documents/*.json',
];

/** Generates a client of each document with both tools, and compiles both under the same options. */
export async function compareClients(folder: string): Promise<readonly ClientRow[]> {
  const rows: ClientRow[] = [];
  for (const path of globSync(documents, { cwd: root }).toSorted()) {
    const own = join(folder, String(rows.length));
    await mkdir(own);
    await copyFile(join(root, path), join(own, 'openrpc.json'));
    const document = relative(root, join(root, path)).replace(
      /^node_modules\/(@[^/]+\/[^/]+)\/.*\//,
      '$1: ',
    );
    rows.push({ document, ours: await tryOurs(own), theirs: await tryTheirs(own) });
  }
  return rows;
}

async function tryOurs(cwd: string): Promise<string> {
  return (await generateOurs(cwd)) ?? compile(cwd, 'ours', 'ours/client/src/index.ts');
}

async function tryTheirs(cwd: string): Promise<string> {
  const failure = await generateTheirs(cwd, { type: 'client', language: 'typescript' });
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
  const { stdout } = await runNode([tsc, '-p', `${name}.json`, '--pretty', 'false'], cwd);
  return String(stdout.split('\n').filter((line) => / error TS\d+:/.test(line)).length);
}
