import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashKey } from '../../src/auth/hash-key.ts';
import { runSpecgate } from '../generator/cli/in-process.ts';
import type { CommandResult } from '../generator/support/folder.ts';
import { account, openTestStore, temporaryFolder } from '../store/support.ts';

/** Runs a verb on a store. */
function specgate(args: readonly string[], store: string): Promise<CommandResult> {
  return runSpecgate([...args, '--store', store]);
}

describe('the command line of an operator', () => {
  it('creates an account and a key that a gateway then knows', async () => {
    const address = `sqlite:${join(await temporaryFolder(), 'store.sqlite')}`;
    const created = await specgate(['accounts', 'create', 'acme', '-p', 'developer'], address);
    expect(created).toMatchObject({ status: 0, stderr: '' });
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

  it('tells usage as a table, as JSON and as CSV, what was lost included', async () => {
    const address = join(await temporaryFolder(), 'store.sqlite');
    const store = await openTestStore(address);
    await specgate(['plans', 'list'], address);
    await store.putAccount(account);
    const usage = [{ keyId: 'key-1', method: 'eth_a', calls: 2, credits: 160 }];
    const rest = { report: 1, returned: 0, needs: [], rate: 1, callRate: 60, isClosing: false };
    const requests = [{ leaseId: 'a', accountId: 'acme', usage, ...rest }];
    await store.renewLeases({ requests, ttl_ms: 1, dearest_credits: 1 });
    const day = (await store.readToday('acme')).day;
    const tell = async (format: string): Promise<string> => {
      const { status, stdout, stderr } = await specgate(['usage', '-f', format], address);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    expect(await tell('csv')).toBe(
      'day,account,kind,key,method,calls,credits\n' +
        `${day},acme,used,key-1,eth_a,2,160\n${day},acme,forfeited,,,0,26250\n`,
    );
    expect(JSON.parse(await tell('json'))).toEqual({
      days: [
        {
          account: 'acme',
          day,
          creditsPerDay: 3_000_000,
          spent: 160,
          forfeited: 26_250,
          leased: 0,
          remaining: 2_973_590,
        },
      ],
      rows: [{ account: 'acme', day, key: 'key-1', method: 'eth_a', calls: 2, credits: 160 }],
    });
    expect(await tell('text')).toContain(`${day}  acme         3000000    160      26250`);
  });

  it('says in one line what is wrong, and ends with 2', async () => {
    const address = join(await temporaryFolder(), 'store.sqlite');
    const made = join(await temporaryFolder(), 'store.sqlite');
    await openTestStore(made);
    expect((await specgate(['plans', 'list'], address)).stdout).toMatch(/^developer /m);
    const wrong = [
      [['usage'], address, `there is no store at ${address}; give the gateway's with --store`],
      [['keys', 'list'], address, 'there is no store at'],
      [['accounts', 'suspend', 'nobody'], made, 'there is no account nobody; see them with:'],
      [['keys', 'create', 'a', '--expires', 'soon'], made, '"soon" is no moment; write e.g.'],
      [['keys', 'update', 'key-1'], made, 'nothing to change; give'],
      [['usage'], 'mysql://a', 'the store mysql://a cannot be used (there is no store of kind'],
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

  it('helps with an example for every verb', async () => {
    for (const verb of [['accounts', 'create'], ['keys', 'rotate'], ['plans', 'list'], ['usage']]) {
      const { status, stdout } = await runSpecgate([...verb, '--help']);
      expect(status).toBe(0);
      expect(stdout).toContain(`Example:\n  $ specgate ${verb.join(' ')}`);
    }
  });
});
