/** The client as packed by `npm pack`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
// By its name, Vitest loads its TypeScript sources, which Node does not run in node_modules.
import {
  checkPackage,
  createPackageFromTarballData,
} from '../../node_modules/@arethetypeswrong/core/dist/index.js';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import semver from 'semver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installClient, type Project } from './project.ts';
import { serveHttp, sendJson } from './servers.ts';

/** Starts a registry with a package `typescript`, whose compiler is the one of this repository. */
async function serveCompiler() {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-registry-'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const manifest = { name: 'typescript', version: '99.0.0', bin: { tsc: 'tsc.mjs' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    join(folder, 'tsc.mjs'),
    `#!/usr/bin/env node\nawait import(${JSON.stringify(pathToFileURL(compiler).href)});\n`,
  );
  await promisify(execFile)('npm', ['pack', '--offline'], { cwd: folder });
  const tarball = await readFile(join(folder, 'typescript-99.0.0.tgz'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', url).pathname;
    asked.push(path);
    if (path.endsWith('.tgz')) return void response.end(tarball);
    if (path !== '/typescript') return void response.writeHead(404).end('{}');
    const dist = { tarball: `${url}typescript-99.0.0.tgz` };
    const versions = { '99.0.0': { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    return void response.end(
      JSON.stringify({ name: 'typescript', 'dist-tags': { latest: '99.0.0' }, versions }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const name = 'blockchain-node-json-rpc-service-client';

const root = join(import.meta.dirname, '../..');

let project: Project;
beforeAll(async () => {
  project = await installClient();
});
afterAll(() => project[Symbol.asyncDispose]());

const usage = `import { createClient, http, webSocket, exactJson, kitTransport, CreditsExhaustedError,
  type RpcSchema, type BlockWithTransactions, type BlockWithTransactionHashes } from '${name}';
import { withValidation } from '${name}/validate';
import type { Block } from '${name}/types';

export const client = createClient({ transport: withValidation(http({ url: 'http://h/' })) });
export const full: Promise<BlockWithTransactions | null> = client.ethGetBlockByNumber('latest', true);
export const hashes: Promise<BlockWithTransactionHashes | null> =
  client.ethGetBlockByNumber('latest', false);
export const either = (flag: boolean): Promise<Block | null> =>
  client.ethGetBlockByNumber('latest', flag);
export const byName: Promise<BlockWithTransactions | null> =
  client.request({ method: 'eth_getBlockByNumber', params: ['latest', true] });
// @ts-expect-error the flag is missing
void client.request({ method: 'eth_getBlockByNumber', params: ['latest'] });
// @ts-expect-error the block may be null
export const present: Promise<BlockWithTransactions> = client.ethGetBlockByNumber('latest', true);

export async function accounts() {
  const list = await client.getProgramAccounts('11111111111111111111111111111111');
  const plain: number = list[0]!.account.lamports;
  const filtered = await client.getProgramAccounts('1', { encoding: 'base64', filters: [{ dataSize: 1 }] });
  const wrapped = await client.getProgramAccounts('1', { withContext: true });
  const slot: number = wrapped.context.slot;
  const exact = createClient({ transport: webSocket({ url: 'ws://h/', json: exactJson }) });
  const wide: number | bigint = (await exact.getProgramAccounts('1'))[0]!.account.lamports;
  // @ts-expect-error it may be a bigint
  const narrow: number = (await exact.getProgramAccounts('1'))[0]!.account.lamports;
  return [plain, filtered.length, slot, wide, narrow, kitTransport(exact)];
}
export function when(error: unknown): string | undefined {
  return error instanceof CreditsExhaustedError ? error.resetsAt : undefined;
}
export type First = RpcSchema[0]['Method'];
export const first: First = 'getProgramAccounts';
`;

/** Occurs only in code for Node. */
const NODE = 'node:http';

describe('the packed client', () => {
  test.each([
    ['Node', 'node', true],
    ['a browser', 'browser', false],
    ['a worker', 'neutral', false],
  ] as const)('bundled for %s calls over what is quickest there', async (_, platform, isNode) => {
    const contents = `export { createClient, http } from '${name}';`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project.folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform,
      ...(platform === 'neutral' ? { conditions: ['workerd', 'node'] } : {}),
    });
    expect(outputFiles[0]!.text.includes(NODE)).toBe(isNode);
  });

  test.each([
    ['nodenext', { module: 'nodenext' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('type-checks under %s resolution, strictly', async (kind, options) => {
    await project.write(`${kind}.ts`, usage);
    const compilerOptions = {
      ...options,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      strict: true,
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      noEmit: true,
    };
    await project.write(`${kind}.json`, JSON.stringify({ compilerOptions, files: [`${kind}.ts`] }));
    expect(await project.run('tsc', '-p', `${kind}.json`)).toBe('');
  });

  // The newest is the one that packs it, and that the tests above use.
  test('compiles and type-checks with the oldest supported TypeScript', async () => {
    const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));
    const { version } = await readJson('node_modules/typescript-oldest/package.json');
    const { devDependencies } = await readJson('generated/client/package.json');
    const oldest = semver.minVersion(devDependencies.typescript)!;
    expect(version).toMatch(new RegExp(`^${oldest.major}\\.${oldest.minor}\\.`));
    const compile = (...args: readonly string[]) =>
      project.run(
        process.execPath,
        join(root, 'node_modules/typescript-oldest/bin/tsc'),
        '--noEmit',
        '--skipDefaultLibCheck',
        ...args,
      );
    expect(await compile('-p', join(root, 'generated/client/tsconfig.json'))).toBe('');
    await project.write('oldest.ts', usage);
    const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom'];
    expect(await compile(...options, '--module', 'nodenext', 'oldest.ts')).toBe('');
  });

  test('passes publint in strict mode', async () => {
    const { messages, pkg } = await publint({ pkgDir: project.installed, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has correct types for everything that loads ES modules', async () => {
    const result = await checkPackage(createPackageFromTarballData(project.tarball));
    if (!result.types) throw new Error('no types');
    // An ES module alone cannot be resolved as Node 10 did, nor be loaded by require before Node 22.
    const problems = result.problems.filter(
      (problem) =>
        !('resolutionKind' in problem) ||
        !['node10', 'node16-cjs'].includes(problem.resolutionKind),
    );
    expect(problems).toEqual([]);
  });

  test('is packed by `npm pack` in a copy without node_modules, which installs the compiler', async () => {
    await using registry = await serveCompiler();
    const folder = await mkdtemp(join(tmpdir(), 'specgate-copy-'));
    try {
      await cp(join(root, 'generated/client'), folder, { recursive: true });
      // A PATH without the compiler of this repository, which may be beside its Node.
      await mkdir(join(folder, '.node'));
      await symlink(process.execPath, join(folder, '.node/node'));
      const isClean = (each: string) => !existsSync(join(each, 'tsc'));
      const rest = process.env['PATH']!.split(delimiter).filter(isClean);
      const env = {
        PATH: [join(folder, '.node'), ...rest].join(delimiter),
        HOME: folder,
        npm_config_cache: join(folder, '.cache'),
        npm_config_registry: registry.url,
        npm_config_update_notifier: 'false',
      };
      await promisify(execFile)('npm', ['pack'], { cwd: folder, env, timeout: 60_000 });
      const manifest = await readFile(join(folder, 'package.json'), 'utf8');
      const { version } = JSON.parse(manifest) as { version: string };
      const tarball = await readFile(join(folder, `${name}-${version}.tgz`));
      const files = createPackageFromTarballData(tarball).listFiles();
      expect(files).toContain(`/node_modules/${name}/dist/index.d.ts`);
      expect(registry.asked).toContain('/typescript');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('is found by resolvers that do not know `exports`', async () => {
    const { main, types } = JSON.parse(
      await readFile(join(project.installed, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    const code = await readFile(join(project.installed, main!), 'utf8');
    expect(code).toContain('createClient');
    expect(await readFile(join(project.installed, types!), 'utf8')).toContain('createClient');
  });

  test('contains its files and has no dependency', async () => {
    const files = await readdir(project.installed);
    expect(files.toSorted()).toEqual(['README.md', 'dist', 'llms.txt', 'package.json', 'src']);
    const manifest = JSON.parse(await readFile(join(project.installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ sideEffects: false, type: 'module' });
    expect(manifest.dependencies).toBeUndefined();
    expect(await readdir(join(project.folder, 'node_modules'))).toEqual(
      expect.not.arrayContaining(['typescript']),
    );
  });

  test('runs in Node and validates on request', async () => {
    await using server = await serveHttp((response, { id, method }) => {
      const result = method === 'eth_estimateGas' ? 'a lot' : null;
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
    });
    await project.write(
      'run.js',
      `import { createClient, http } from '${name}';
import { withValidation } from '${name}/validate';
const client = createClient({ transport: withValidation(http({ url: '${server.url}' })) });
const hash = '0x' + '11'.repeat(32);
console.log(JSON.stringify([
  await client.ethGetTransactionByHash(hash),
  await client.ethGetTransactionByHash('0x1').catch(({ name, of, violations }) => [name, of, violations[0].pointer]),
  await client.ethEstimateGas({ to: '0x' + '11'.repeat(20) }).catch(({ name, of }) => [name, of]),
]));
`,
    );
    const output = await project.run(process.execPath, 'run.js');
    expect(JSON.parse(output)).toEqual([
      null,
      ['ValidationError', 'params', '/0'],
      ['ValidationError', 'result'],
    ]);
    expect(server.seen.map(({ method }) => method)).toEqual([
      'eth_getTransactionByHash',
      'eth_estimateGas',
    ]);
  });
});
