/** The code of the README, the guides and the client's texts, run against the gateway as it is written. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { clientPackage } from '../support/client-names.ts';
import { hasProgram } from '../support/programs.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const root = fileURLToPath(new URL('../../', import.meta.url));
const hasCurl = hasProgram('curl', 'the commands of the guides');

interface Block {
  readonly language: string;
  readonly code: string;
}

/** Returns the code blocks of a page, with the addresses of the running networks. */
async function blocksOf(page: string): Promise<readonly Block[]> {
  const { evm, solana, archive } = inject('product').networks;
  let text = await readFile(join(root, page), 'utf8');
  for (const [port, { http }] of Object.entries({ 8545: evm, 8899: solana, 8547: archive })) {
    text = text.replaceAll(`127.0.0.1:${port}`, new URL(http).host);
  }
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** Names that a block may use without declaring them, because the text before it does. */
const context: Readonly<Record<string, string>> = {
  createClient: `import { createClient } from '${clientPackage}';`,
  http: `import { http } from '${clientPackage}';`,
  kitTransport: `import { kitTransport } from '${clientPackage}';`,
  RpcSchema: `import type { RpcSchema } from '${clientPackage}';`,
  createPublicClient: `import { createPublicClient } from 'viem';`,
  custom: `import { custom } from 'viem';`,
  rpcSchema: `import { rpcSchema } from 'viem';`,
  BrowserProvider: `import { BrowserProvider } from 'ethers';`,
  createSolanaRpcFromTransport: `import { createSolanaRpcFromTransport } from '@solana/kit';`,
  url: 'const url = process.env.EVM_URL;',
  hash: `const hash = '0x${'11'.repeat(32)}';`,
};

/** Completes a fragment by the declarations that it lacks. */
function complete(code: string): string {
  const isDeclared = (name: string): boolean =>
    new RegExp(
      `\\b(?:const|let) \\{?[^;=]*\\b${name}\\b[^;=]*=|import[^;]*\\b${name}\\b[^;]*from`,
    ).test(code);
  const lacks = (name: string): boolean =>
    new RegExp(`(?<![\\w.'/:])${name}\\b(?!:)`).test(code) && !isDeclared(name);
  const isEvm = !code.includes('getProgramAccounts');
  const client = lacks('client')
    ? `import * as sdk from '${clientPackage}';
const client = sdk.createClient({
  transport: sdk.http({ url: process.env.${isEvm ? 'EVM_URL' : 'SOLANA_URL'} }),
});`
    : '';
  const lines = Object.entries(context).filter(([name]) => lacks(name));
  return [...lines.map(([, line]) => line), client, code].join('\n');
}

/** Resolves packages as in the repository, and the client as its sources. */
const hooks = `import { registerHooks } from 'node:module';
const own = ${JSON.stringify(`file://${root}package.json`)};
const sources = ${JSON.stringify(`file://${root}generated/client/src/`)};
registerHooks({
  resolve(specifier, context, next) {
    const found = /^(?:${clientPackage}|\\.\\/generated\\/client\\/src\\/index\\.ts)(\\/\\w+)?$/.exec(specifier);
    if (found !== null) return next(sources + (found[1]?.slice(1) ?? 'index') + '.ts', context);
    const isPackage = !/^(?:[./]|file:|node:)/.test(specifier) && context.parentURL?.includes('/block-');
    return next(specifier, isPackage ? { ...context, parentURL: own } : context);
  },
});
`;

/** Runs programs one after the other in one process; returns what they print. */
async function runPrograms(codes: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-blocks-'));
  const { evm, solana } = inject('product').networks;
  try {
    const files = codes.map((_, index) => join(folder, `block-${index}.ts`));
    await Promise.all(files.map((file, index) => writeFile(file, codes[index]!)));
    await writeFile(join(folder, 'hooks.mjs'), hooks);
    const imports = files.map((file) => `await import(${JSON.stringify(`file://${file}`)});`);
    await writeFile(join(folder, 'run.mjs'), `import './hooks.mjs';\n${imports.join('\n')}\n`);
    const env = { ...process.env, EVM_URL: evm.http, SOLANA_URL: solana.http };
    const options = { env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
    const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(folder, 'run.mjs')];
    const { stdout, stderr } = await run(process.execPath, args, options);
    expect(stderr).toBe('');
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isEthers = ({ code }: Block): boolean => /^(?!\s*\/\/).*new BrowserProvider/m.test(code);

describe('the programs of', () => {
  test.each([
    ['README.md', 1],
    ['docs-site/content/guides/start.md', 1],
    ['docs-site/content/guides/websocket.md', 1],
    ['docs-site/content/guides/client.md', 5],
    ['docs-site/content/guides/libraries.md', 5],
    ['generated/client/README.md', 18],
    ['generated/client/llms.txt', 11],
  ])('%s run against the service', async (page, minimum) => {
    const programs = (await blocksOf(page)).filter(({ language }) => language === 'ts');
    expect(programs.length).toBeGreaterThanOrEqual(minimum);
    const codes = programs.filter((block) => !isEthers(block)).map(({ code }) => complete(code));
    // Some programs print the error of a call instead of throwing it.
    expect(await runPrograms(codes)).not.toMatch(/^(?:\d )?\{\s*code: |^\w+Error /m);
  });
});

/** Replaces what differs from run to run. */
function comparable(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => (name === 'requestId' ? 'id' : value));
}

describe.skipIf(!hasCurl)('the commands of', () => {
  test.each(['authentication', 'batching', 'start', 'credits', 'program-accounts', 'versioning'])(
    'the guide %s give the answer that it shows',
    async (guide) => {
      const blocks = await blocksOf(`docs-site/content/guides/${guide}.md`);
      const commands = blocks.filter(({ language }) => language === 'sh');
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) {
        const { stdout } = await run('sh', ['-c', command.code], {
          timeout: TIMEOUT_MS,
          maxBuffer: 2 ** 26,
        });
        const answer = comparable(stdout) as object;
        const shown = blocks[blocks.indexOf(command) + 1]?.code ?? '';
        if (!/"jsonrpc"|"account"/.test(shown)) expect(answer).not.toHaveProperty('error');
        else if (shown.includes('"…": ')) expect(answer).toHaveProperty('result');
        else if (shown.includes('"account"')) {
          expect(Object.keys(answer)).toEqual(Object.keys(comparable(shown) as object));
        } else expect(answer).toEqual(comparable(shown));
      }
    },
  );

  test("README's call is answered", async () => {
    const [, command] = (await blocksOf('README.md')).filter(({ language }) => language === 'sh');
    const { stdout } = await run('sh', ['-c', command!.code], { timeout: TIMEOUT_MS });
    expect(comparable(stdout)).toHaveProperty('result.number');
  });
});

test('the error and the filters that the guides show are those of the service', async () => {
  const call = async (config: unknown): Promise<object> => {
    const address = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
    const params = [address, config];
    const response = await fetch(inject('product').networks.solana.http, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getProgramAccounts', params }),
    });
    return comparable(await response.text()) as object;
  };
  const json = async (guide: string): Promise<unknown> => {
    const blocks = await blocksOf(`docs-site/content/guides/${guide}.md`);
    return comparable(blocks.find(({ language }) => language === 'json')!.code);
  };
  expect(await call({ encodng: 'base64' })).toMatchObject({ error: await json('errors') });
  expect(await call(await json('program-accounts'))).toHaveProperty('result');
});

test("README's commands for documents work, and its configuration is valid", async () => {
  const blocks = await blocksOf('README.md');
  const yaml = blocks.find(({ language }) => language === 'yaml')!.code;
  const variables = { NODE_TOKEN: 'token', ACME_KEY: 'acme-key-0123456789' };
  expect(readConfig(yaml, 'README.md', variables).networks).toHaveLength(1);
  const commands = blocks.find(({ code }) => code.startsWith('./specgate init'))!.code.split('\n');
  // The other two serve until they are stopped.
  const ending = commands.filter((line) => /^\S+ (?:init|lint|generate|diff) /.test(line));
  expect(ending).toHaveLength(4);
  const folder = await mkdtemp(join(tmpdir(), 'specgate-readme-'));
  try {
    await cp(join(root, 'openrpc.json'), join(folder, 'openrpc.yaml'));
    const git = 'git -c user.name=a -c user.email=a@example.com';
    const prepare = `git init -qb main && git add -A && ${git} commit -qm first`;
    const script = ending.join('\n').replaceAll('./specgate', join(root, 'specgate'));
    await run('sh', ['-ec', `${prepare}\n${script}`], { cwd: folder, timeout: TIMEOUT_MS });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("ethers' BrowserProvider over the client works as the guide says", async () => {
  const blocks = (await blocksOf('docs-site/content/guides/client.md')).filter(isEthers);
  expect(blocks).toHaveLength(1);
  expect(await runPrograms(blocks.map(({ code }) => complete(code)))).toContain('0x');
});
