import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Gateway } from '../../src/main/gateway.ts';
import { temporaryFolder } from '../store/support.ts';
import { request } from '../transport/support.ts';
import { startFakeNode } from '../upstream/fake-node.ts';
import { eventually } from '../transport/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const KEY = 'sg-0123456789abcdef';

interface Ended {
  readonly code: number | null;
  readonly errors: string;
}

async function specgate(
  ...args: string[]
): Promise<{ child: ChildProcess; ended: Promise<Ended> }> {
  const child = spawn(process.execPath, [join(root, 'bin/specgate.js'), ...args], {
    cwd: await temporaryFolder(),
    env: { ...process.env, ACME_KEY: KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  return { child, ended };
}

async function writeConfig(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'specgate.yaml');
  await writeFile(file, text);
  return file;
}

describe('specgate serve', () => {
  it('serves the networks of its configuration, and on SIGTERM answers accepted calls and exits with 0', async () => {
    const answer = Promise.withResolvers<string>();
    const node = await startFakeNode(({ params }) =>
      params[0] === '0x2' ? answer.promise : 'null',
    );
    const file = await writeConfig(`
networks:
  - { name: evm, family: evm, listen: { port: 0 }, identity: 31337, upstreams: [{ url: "${node.url.href}" }] }
accounts:
  - { id: acme, plan: free, keys: [{ key: "\${ACME_KEY}" }] }
ops: { port: 0 }
log: warn
`);
    const { child, ended } = await specgate('serve', '--config', file, '--format', 'json');
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    const { networks, ops } = JSON.parse(line) as Gateway;
    const url = `${networks[0]!.http}/v3/${KEY}`;
    const body = (block: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBlockByNumber',
        params: [block, false],
      });
    expect((await request(url, { body: body('0x1') })).body).toMatchObject({ id: 1, result: null });
    expect((await fetch(new URL('readyz', ops))).status).toBe(200);
    const late = request(url, { body: body('0x2') });
    await eventually(() => node.requests.length).toBe(2);
    child.kill('SIGTERM');
    await eventually(async () => (await fetch(new URL('readyz', ops))).status).toBe(503);
    answer.resolve('null');
    expect((await late).status).toBe(200);
    expect(await ended).toEqual({ code: 0, errors: '' });
  });

  it('exits with 2 and prints location and fix of each problem of the configuration', async () => {
    const file = await writeConfig('networks: []\nstroe: x\n');
    const { ended } = await specgate('serve', '--config', file);
    const { code, errors } = await ended;
    expect(code).toBe(2);
    expect(errors.trim().split('\n')).toEqual([
      `specgate: ${file}:1:1: networks: expected at least one network`,
      `specgate: ${file}:2:1: stroe: unknown setting; did you mean store?`,
    ]);
  });

  it('exits with one line when the folder of the store cannot be created', async () => {
    const file = await writeConfig(`
networks:
  - { name: evm, family: evm, listen: { port: 0 }, upstreams: [{ url: "http://127.0.0.1:9" }] }
ops: { port: 0 }
store: /proc/specgate/deep/store.sqlite
`);
    const { ended } = await specgate('serve', '--config', file);
    const { code, errors } = await ended;
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^specgate: cannot open the store \/proc\/specgate\/deep\/store\.sqlite \(.*mkdir '\/proc.*'\); check.*\n$/,
    );
  });

  it('exits with 2 and one line when the configuration file does not exist', async () => {
    const { ended } = await specgate('serve', '--config', 'missing.yaml');
    expect(await ended).toEqual({
      code: 2,
      errors:
        'specgate: cannot read missing.yaml (ENOENT); check the path, or name another file with --config\n',
    });
  });
});
