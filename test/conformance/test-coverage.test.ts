/** The official test tool of OpenRPC against the running gateway, as a user runs it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { document } from '../support/document.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tool = join(root, 'node_modules/@open-rpc/test-coverage/bin/cli.js');

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const options = { cwd: root, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };

interface Call {
  readonly methodName: string;
  readonly title: string;
  readonly valid: boolean;
  readonly reason?: string;
  readonly requestError?: unknown;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specgate-coverage-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Bundles the document that a network serves for the tool, and runs the tool against the network. */
async function testNetwork(url: string): Promise<readonly Call[]> {
  const served = `${new URL('/v3/openrpc.json', url)}`;
  const file = join(folder, 'openrpc.json');
  const forTool = ['--openrpc', '1.2.6', '--strip-extensions', '--server', url, '--out', file];
  await run(process.execPath, ['bin/specgate.js', 'bundle', served, ...forTool], options);
  const args = [tool, '--schema', file, '--reporters', 'json'];
  const { stdout } = await run(process.execPath, args, options);
  return JSON.parse(stdout) as readonly Call[];
}

test('@open-rpc/test-coverage finds all methods of the running gateway valid', async () => {
  const { evm, solana } = inject('product').networks;
  const calls = [...(await testNetwork(evm.http)), ...(await testNetwork(solana.http))];
  expect(calls.filter(({ valid }) => !valid)).toEqual([]);
  const tested = new Set(calls.map(({ methodName }) => methodName));
  expect([...tested].sort()).toEqual(document.methods.map(({ name }) => name).sort());
}, 180_000);
