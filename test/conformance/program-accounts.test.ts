/** getProgramAccounts through the gateway, from a real ledger. */
import { zstdDecompressSync } from 'node:zlib';
import { base58 } from '@scure/base';
import { describe, expect, inject, test } from 'vitest';
import { solanaFacts } from '../devnet/solana-facts.ts';
import { document, resolvePointer } from '../support/document.ts';
import { httpWire, post, type RpcAnswer } from '../support/wire.ts';

const { programs, tokenLayout, people, registryKinds, slots, counts, tokenAccounts } = solanaFacts;

interface AccountRecord {
  readonly pubkey: string;
  readonly account: {
    readonly data: unknown;
    readonly owner: string;
    readonly space: number;
    readonly lamports: number;
    readonly executable: boolean;
  };
}

const url = (): string => inject('product').networks.solana.http;

async function ask(program: string, config?: unknown): Promise<RpcAnswer> {
  const params = config === undefined ? [program] : [program, config];
  return (
    await httpWire(url()).send(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getProgramAccounts', params }),
    )
  ).json as RpcAnswer;
}

async function list(program: string, config?: unknown): Promise<AccountRecord[]> {
  const answer = await ask(program, config);
  expect(answer.error).toBeUndefined();
  return answer.result as AccountRecord[];
}

const ofAlice = { memcmp: { offset: tokenLayout.accountOwnerOffset, bytes: people.alice } };
const accountSize = { dataSize: tokenLayout.accountSize };

describe('getProgramAccounts', () => {
  test('returns all accounts that the program owns', async () => {
    const accounts = await list(programs.registry, { encoding: 'base64' });
    expect(accounts).toHaveLength(counts.registry);
    expect(new Set(accounts.map(({ pubkey }) => pubkey)).size).toBe(counts.registry);
    expect(accounts.every(({ account }) => account.owner === programs.registry)).toBe(true);
    expect(await list(programs.empty)).toEqual([]);
  });

  test('every encoding returns the same bytes, and none returns a bare string', async () => {
    const filters = [accountSize, ofAlice];
    const [bare, short, full, packed] = await Promise.all([
      list(programs.token, { filters, dataSlice: { offset: 0, length: 64 } }),
      list(programs.token, { filters, encoding: 'base58', dataSlice: { offset: 0, length: 64 } }),
      list(programs.token, { filters, encoding: 'base64' }),
      list(programs.token, { filters, encoding: 'base64+zstd' }),
    ]);
    expect(full.map(({ pubkey }) => pubkey).toSorted()).toContain(tokenAccounts.aliceDollars);
    for (const [index, record] of full.entries()) {
      const bytes = Buffer.from((record.account.data as [string, string])[0], 'base64');
      expect(record.account.data).toEqual([expect.any(String), 'base64']);
      expect(bytes).toHaveLength(tokenLayout.accountSize);
      expect(bare[index]!.account.data).toBe(base58.encode(bytes.subarray(0, 64)));
      expect(short[index]!.account.data).toEqual([base58.encode(bytes.subarray(0, 64)), 'base58']);
      const [text, name] = packed[index]!.account.data as [string, string];
      expect(name).toBe('base64+zstd');
      expect(zstdDecompressSync(Buffer.from(text, 'base64'))).toEqual(bytes);
    }
  });

  test('jsonParsed reads token accounts and falls back to base64 for what it cannot read', async () => {
    const [token] = await list(programs.token, {
      encoding: 'jsonParsed',
      filters: [accountSize, ofAlice],
    });
    expect(token!.account.data).toMatchObject({
      program: 'spl-token',
      parsed: { type: 'account', info: { owner: people.alice } },
      space: tokenLayout.accountSize,
    });
    const [other] = await list(programs.registry, {
      encoding: 'jsonParsed',
      filters: [{ dataSize: 200 }],
    });
    expect(other!.account.data).toEqual([expect.any(String), 'base64']);
  });

  test('a data slice shortens the data and leaves space alone', async () => {
    const [record] = await list(programs.registry, {
      encoding: 'base64',
      dataSlice: { offset: 8, length: 4 },
      filters: [{ dataSize: 200 }],
    });
    expect(Buffer.from((record!.account.data as [string])[0], 'base64')).toHaveLength(4);
    expect(record!.account.space).toBe(200);
  });

  test('an account must match all filters', async () => {
    const kind = registryKinds.Order;
    const byBase58 = await list(programs.registry, {
      filters: [{ memcmp: { offset: 0, bytes: kind.base58 } }],
      encoding: 'base64',
    });
    const byBase64 = await list(programs.registry, {
      filters: [{ memcmp: { offset: 0, bytes: kind.base64, encoding: 'base64' } }],
      encoding: 'base64',
    });
    expect(byBase58).toHaveLength(kind.count);
    expect(byBase64).toEqual(byBase58);
    const size = byBase58.at(-1)!.account.space;
    const both = await list(programs.registry, {
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0, bytes: kind.base58 } }, { dataSize: size }],
    });
    expect(both.length).toBeGreaterThan(0);
    expect(both.every(({ account }) => account.space === size)).toBe(true);
    expect(both.length).toBeLessThan(byBase58.length);
    const none = await list(programs.registry, {
      filters: [
        { memcmp: { offset: 0, bytes: kind.base58 } },
        { memcmp: { offset: 0, bytes: registryKinds.Listing.base58 } },
      ],
    });
    expect(none).toEqual([]);
  });

  test('each commitment is read at its own slot, finalized being the default', async () => {
    const slotOf = async (config: object): Promise<number> => {
      const { error, result } = await ask(programs.empty, { withContext: true, ...config });
      expect(error).toBeUndefined();
      return (result as { context: { slot: number } }).context.slot;
    };
    const stated = resolvePointer(document, '/components/schemas/Commitment/default');
    expect(await slotOf({})).toBe(slots.finalized);
    expect(await slotOf({ commitment: stated })).toBe(slots.finalized);
    for (const commitment of ['finalized', 'confirmed', 'processed'] as const) {
      expect(await slotOf({ commitment })).toBe(slots[commitment]);
      const accounts = await list(programs.token, { commitment, encoding: 'base64' });
      expect(accounts).toHaveLength(counts.token[commitment]);
    }
  });

  test('withContext wraps the list with the slot it was read at', async () => {
    const config = { encoding: 'base64', filters: [accountSize, ofAlice] };
    const wrapped = (await ask(programs.token, { ...config, withContext: true })).result;
    expect(wrapped).toEqual({
      context: { slot: slots.finalized, apiVersion: solanaFacts.version },
      value: await list(programs.token, config),
    });
    expect(await list(programs.token, { ...config, withContext: false })).toEqual(
      (wrapped as { value: unknown }).value,
    );
  });

  test('a minimum slot that is not reached is an error that names the slot', async () => {
    expect(await list(programs.empty, { minContextSlot: slots.finalized })).toEqual([]);
    const { error } = await ask(programs.empty, { minContextSlot: slots.finalized + 1 });
    expect(error).toEqual({
      code: -32016,
      message: 'Minimum context slot has not been reached',
      data: { contextSlot: slots.finalized },
    });
  });

  test('base58 for data of 128 bytes or more is the error of the node', async () => {
    const { error } = await ask(programs.token, { encoding: 'base58', filters: [accountSize] });
    expect(error?.code).toBe(-32600);
    expect(error?.message).toContain('should be less than 128 bytes');
  });

  test('integers beyond 2^53 keep every digit', async () => {
    const config = { encoding: 'base64', filters: [{ dataSize: 0 }] };
    const { text } = await post(
      url(),
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getProgramAccounts',
        params: [programs.registry, config],
      }),
    );
    expect(text).toContain(`"rentEpoch":${solanaFacts.rentEpoch}`);
    expect(text).toContain(`"lamports":${solanaFacts.treasuryLamports}`);
  });
});
