import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashKey } from '../../src/auth/hash-key.ts';
import { runSpecgate } from '../generator/cli/in-process.ts';
import type { CommandResult } from '../generator/support/folder.ts';
import { serve } from '../support/serve.ts';
import { account, bothEngines, openTestStore, temporaryFolder } from '../store/support.ts';
import { request } from '../transport/support.ts';
import { eventually } from '../transport/eventually.ts';
import { startFakeNode } from '../upstream/fake-node.ts';

/** Runs a verb on a store. */
function specgate(args: readonly string[], store: string): Promise<CommandResult> {
  return runSpecgate([...args, '--store', store]);
}

describe('the command line for administrators', () => {
  it('creates an account and a key that a gateway then knows', async () => {
    const address = `sqlite:${join(await temporaryFolder(), 'store.sqlite')}`;
    const create = ['accounts', 'create', 'acme', '-p', 'developer', '--create-store'];
    const created = await specgate(create, address);
    expect(created).toMatchObject({
      status: 0,
      stderr: `specgate: written to store ${address.slice('sqlite:'.length)}\n`,
    });
    expect(created.stdout).toMatch(/^acme +developer +15000000 +100 +no +0$/m);
    const args = ['keys', 'create', 'acme', '-l', 'x', '--allow-method', 'eth_estimateGas'];
    const issued = await specgate([...args, '--format', 'json'], address);
    const { key, ...shown } = JSON.parse(issued.stdout) as Record<string, string>;
    expect(shown).toMatchObject({ account: 'acme', label: 'x', state: 'active', expiresAt: null });
    const store = await openTestStore(address);
    const { keys } = await store.readChanges(0);
    expect(keys).toMatchObject([
      { id: shown['id'], hash: hashKey(key!), allow: { methods: ['eth_estimateGas'] } },
    ]);
    const revoked = await specgate(['keys', 'revoke', shown['id']!], address);
    expect(revoked.stdout).toMatch(/revoked/);
    expect((await store.readChanges(0)).keys[0]!.revokedAt_ms).not.toBeNull();
  });

  it('prints usage as a table, as JSON and as CSV, lost credits included', async () => {
    const address = join(await temporaryFolder(), 'store.sqlite');
    const store = await openTestStore(address);
    await specgate(['plans', 'list'], address);
    await store.putAccount(account);
    const usage = [{ keyId: 'key-1', method: 'eth_a', calls: 2, credits: 160 }];
    const rest = { report: 1, returned: 0, needs: [], rate: 1, callRate: 60, isClosing: false };
    const requests = [{ leaseId: 'a', accountId: 'acme', usage, ...rest }];
    await store.renewLeases({ requests, ttl_ms: 1, max_call_credits: 1 });
    const day = (await store.readToday({ accountId: 'acme' })).day;
    const print = async (format: string): Promise<string> => {
      const { status, stdout, stderr } = await specgate(['usage', '-f', format], address);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    expect(await print('csv')).toBe(
      'day,account,kind,key,method,calls,credits\n' +
        `${day},acme,used,key-1,eth_a,2,160\n${day},acme,lost,,,0,26250\n`,
    );
    expect(JSON.parse(await print('json'))).toEqual({
      days: [
        {
          account: 'acme',
          day,
          creditsPerDay: 3_000_000,
          spent: 160,
          lost: 26_250,
          leased: 0,
          remaining: 2_973_590,
        },
      ],
      rows: [{ account: 'acme', day, key: 'key-1', method: 'eth_a', calls: 2, credits: 160 }],
    });
    expect(await print('text')).toContain(`${day}  acme         3000000    160  26250`);
  });

  it('prints errors as one line and exits with 2', async () => {
    const address = join(await temporaryFolder(), 'store.sqlite');
    const made = join(await temporaryFolder(), 'store.sqlite');
    await openTestStore(made);
    expect((await specgate(['plans', 'list'], address)).stdout).toMatch(/^developer /m);
    const wrong = [
      [
        ['usage'],
        address,
        `store ${address} not found; name the gateway's store with --config or --store`,
      ],
      [['keys', 'list'], address, 'store '],
      [
        ['accounts', 'suspend', 'unknown'],
        made,
        'account "unknown" not found; list accounts with:',
      ],
      [['keys', 'create', 'a', '--expires', 'soon'], made, 'invalid time "soon", expected e.g.'],
      [['keys', 'update', 'key-1'], made, 'nothing to change; set'],
      [['usage'], 'mysql://a', 'cannot use store mysql://a: unknown store type "mysql"'],
    ] as const;
    for (const [args, store, message] of wrong) {
      const { status, stdout, stderr } = await specgate(args, store);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('    at ');
    }
    const bare = await runSpecgate(['accounts']);
    expect(bare).toMatchObject({ status: 2, stdout: '' });
    expect(bare.stderr).toContain('Usage: specgate accounts');
  });

  it('reads the store from the configuration of a running gateway, which then knows the key', async () => {
    const node = await startFakeNode(() => 'null');
    const gateway = await serve({
      networks: [
        {
          name: 'evm',
          family: 'evm',
          identity: 31337,
          listen: { port: 0 },
          upstreams: [{ url: node.url.href }],
        },
      ],
      plans: { gold: { creditsPerDay: 1_000_000, callsPerSecond: 10 } },
    });
    onTestFinished(() => void gateway.stop());
    const config = ['--config', join(gateway.folder, 'specgate.yaml')];
    const writes = `specgate: written to store ${join(gateway.folder, 'store.sqlite')}\n`;
    const created = await runSpecgate(['accounts', 'create', 'acme', '-p', 'gold', ...config]);
    expect(created).toMatchObject({ status: 0, stderr: writes });
    const issued = await runSpecgate(['keys', 'create', 'acme', ...config, '-f', 'json']);
    expect(issued).toMatchObject({ status: 0, stderr: writes });
    const { key } = JSON.parse(issued.stdout) as { key: string };
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';
    const call = () => request(`${gateway.base}/v3/${key}`, { body });
    await eventually(async () => (await call()).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: null,
    });
    for (const verb of [['keys', 'list'], ['plans', 'list'], ['usage']]) {
      expect(await runSpecgate([...verb, ...config])).toMatchObject({ status: 0, stderr: '' });
    }
  });

  it('needs no other setting of the configuration, and says which variable of the store is not set', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'specgate.yaml');
    const store = join(folder, 'a.sqlite');
    await openTestStore(store);
    const node = 'networks: [{ headers: { authorization: "${NODE_TOKEN}" } }]\n';
    await writeFile(file, `${node}store: ${store}\n`);
    expect(await runSpecgate(['keys', 'list', '--config', file])).toMatchObject({ status: 0 });
    await writeFile(file, `${node}store: \${NO_SUCH_STORE}\n`);
    expect(await runSpecgate(['keys', 'list', '--config', file])).toEqual({
      status: 2,
      stdout: '',
      stderr: `specgate: ${file}:2:1: store: environment variable NO_SUCH_STORE is not set; set it\n`,
    });
    const both = await runSpecgate(['usage', '--config', file, '--store', store]);
    expect(both).toMatchObject({ status: 2, stdout: '' });
    expect(both.stderr).toContain('--config and --store name two stores');
  });

  it.each(bothEngines())(
    'creates a missing store on $name only with --create-store',
    async (engine) => {
      const address = await engine.address();
      const create = ['accounts', 'create', 'acme', '--plan', 'free'];
      for (const args of [create, ['keys', 'create', 'acme'], ['accounts', 'list']]) {
        const { status, stdout, stderr } = await specgate(args, address);
        expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
        expect(stderr).toMatch(
          /^specgate: .* with: specgate accounts create ID --plan PLAN --create-store\n$/,
        );
      }
      const { status, stderr } = await specgate([...create, '--create-store'], address);
      expect({ status, stderr }).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(/^specgate: written to store /) as string,
      });
      expect((await specgate(create, address)).stderr).toContain('already exists');
    },
  );

  it('never prints the password of a store', async () => {
    const address = 'postgres://specgate:se@c/ret@127.0.0.1:1/a?password=secret';
    const { stderr } = await specgate(['keys', 'list'], address);
    expect(stderr).toContain('cannot use store postgres://specgate:…@127.0.0.1:1/a?password=…: ');
    expect(stderr).not.toMatch(/se@c|ret@|secret/);
  });

  it('prints help with an example for every verb', async () => {
    for (const verb of [['accounts', 'create'], ['keys', 'rotate'], ['plans', 'list'], ['usage']]) {
      const { status, stdout } = await runSpecgate([...verb, '--help']);
      expect(status).toBe(0);
      expect(stdout).toContain(`Example:\n  $ specgate ${verb.join(' ')}`);
    }
  });
});
