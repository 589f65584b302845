import { base58 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import { solanaFacts as facts } from './solana-facts.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { callNode, listKeys, ownedBy, queryAccounts, readBytes } from './solana-caller.ts';

const { people, tokenAccounts, registryRecords } = facts;
const twoHundred = base58.encode(Uint8Array.of(200));

let node: DevnetNode;
beforeAll(async () => {
  node = await startSolanaNode();
});
afterAll(() => node.stop());

describe('filters', () => {
  test('must all match', async () => {
    const [byOwner, both] = await Promise.all([
      queryAccounts(node, 'token', { filters: ownedBy(people.alice) }),
      queryAccounts(node, 'token', {
        filters: [
          ...ownedBy(people.alice),
          { memcmp: { offset: 0, bytes: facts.mints.badge } },
          { memcmp: { offset: 64, bytes: [1, 0, 0, 0, 0, 0, 0, 0] } },
        ],
      }),
    ]);
    expect(byOwner).toHaveLength(4);
    expect(listKeys(both)).toEqual([tokenAccounts.aliceBadge]);
  });

  test.each([
    ['base58 by default', { bytes: twoHundred }],
    ['base58 by name', { bytes: twoHundred, encoding: 'base58' }],
    ['base64', { bytes: 'yA==', encoding: 'base64' }],
    ['an array', { bytes: [200] }],
    ['an array marked as another encoding', { bytes: [200], encoding: 'base64' }],
    ['text marked as bytes, read as base58', { bytes: twoHundred, encoding: 'bytes' }],
    ['a null encoding', { bytes: twoHundred, encoding: null }],
  ])('memcmp reads bytes as %s', async (_name, memcmp) => {
    const filters = [{ dataSize: 200 }, { memcmp: { offset: 8, ...memcmp } }];
    const found = await queryAccounts(node, 'registry', { filters });
    expect(listKeys(found)).toEqual([registryRecords[200]]);
  });

  test('an empty memcmp matches at the end of the data, and not past it', async () => {
    const at = async (offset: unknown, bytes: unknown): Promise<number> => {
      const filters = [{ dataSize: 200 }, { memcmp: { offset, bytes } }];
      return (await queryAccounts(node, 'registry', { filters })).length;
    };
    expect(await at(199, [143, 144])).toBe(0);
    expect(await at(201, [])).toBe(0);
    expect(await at(Number.MAX_SAFE_INTEGER, [1])).toBe(0);
    expect(await at(200, [])).toBe(1);
    expect(await at(199, [143])).toBe(1);
  });

  test('memcmp accepts 128 bytes', async () => {
    const bytes = [...(await readBytes(node, 200)).subarray(0, 128)];
    const filters = [{ memcmp: { offset: 0, bytes } }];
    const found = await queryAccounts(node, 'registry', { filters });
    expect(listKeys(found)).toEqual([registryRecords[200]]);
  });

  test.each([['tokenAccountState'], [{ tokenAccountState: null }]])(
    '%j keeps initialized token accounts',
    async (filter) => {
      const keys = listKeys(await queryAccounts(node, 'token', { filters: [filter] }));
      const { daveLate, multisig, uninitialized, ...initialized } = tokenAccounts;
      expect(keys.toSorted()).toEqual(Object.values(initialized).toSorted());
      expect([daveLate, multisig, uninitialized].some((key) => keys.includes(key))).toBe(false);
    },
  );

  test('four filters are accepted', async () => {
    const filters = Array.from({ length: 4 }, () => ({ dataSize: 200 }));
    expect(await queryAccounts(node, 'registry', { filters })).toHaveLength(1);
  });

  test('a program without accounts has an empty array as its result', async () => {
    expect(await queryAccounts(node, 'empty')).toEqual([]);
  });

  test('unknown config fields are ignored', async () => {
    expect(await queryAccounts(node, 'empty', { color: 'red' })).toEqual([]);
  });

  test.each([[[]], [[null]]])('config may be omitted or null', async (rest) => {
    const params = [facts.programs.empty, ...rest];
    expect(await callNode(node, 'getProgramAccounts', params)).toMatchObject({ result: [] });
  });
});

describe('commitment and context', () => {
  const amountOfDave = async (commitment?: string): Promise<unknown> => {
    const config = { encoding: 'jsonParsed', filters: ownedBy(people.dave), commitment };
    const accounts = await queryAccounts(node, 'token', config);
    const dave = accounts.find(({ pubkey }) => pubkey === tokenAccounts.daveEmpty)!;
    return (dave.account.data as { parsed: { info: { tokenAmount: { amount: string } } } }).parsed
      .info.tokenAmount.amount;
  };

  test('reads the finalized state by default', async () => {
    expect(await amountOfDave()).toBe('0');
    expect(await amountOfDave('finalized')).toBe('0');
  });

  test('an unknown commitment counts as omitted', async () => {
    expect(await amountOfDave('recent')).toBe('0');
  });

  test('confirmed sees the transfer that is not finalized', async () => {
    expect(await amountOfDave('confirmed')).toBe('1000000');
  });

  test('only processed sees the newest account', async () => {
    const keys = async (commitment: string): Promise<readonly string[]> =>
      listKeys(await queryAccounts(node, 'token', { commitment }));
    expect(await keys('processed')).toContain(tokenAccounts.daveLate);
    expect(await keys('confirmed')).not.toContain(tokenAccounts.daveLate);
  });

  test.each(['processed', 'confirmed', 'finalized'] as const)(
    'withContext wraps the accounts with the slot of %s',
    async (commitment) => {
      const config = {
        commitment,
        withContext: true,
        encoding: 'base64',
        filters: [{ dataSize: 200 }],
      };
      const params = [facts.programs.registry, config];
      const { result } = await callNode(node, 'getProgramAccounts', params);
      expect(result).toEqual({
        context: { slot: facts.slots[commitment], apiVersion: facts.version },
        value: await queryAccounts(node, 'registry', { commitment, filters: [{ dataSize: 200 }] }),
      });
    },
  );

  test('minContextSlot is met by its own slot and an earlier one', async () => {
    for (const minContextSlot of [0, facts.slots.finalized - 1, facts.slots.finalized]) {
      expect(await queryAccounts(node, 'empty', { minContextSlot })).toEqual([]);
    }
  });

  test('minContextSlot is compared with the slot of the commitment', async () => {
    const minContextSlot = facts.slots.processed;
    expect(await queryAccounts(node, 'empty', { minContextSlot, commitment: 'processed' })).toEqual(
      [],
    );
    await expect(
      queryAccounts(node, 'empty', { minContextSlot, commitment: 'confirmed' }),
    ).rejects.toThrow('Minimum context slot has not been reached');
  });
});

describe('sortResults', () => {
  test('is true by default and sorts by the bytes of the key', async () => {
    const keys = listKeys(await queryAccounts(node, 'registry'));
    const byBytes = keys.toSorted((a, b) =>
      Buffer.compare(Buffer.from(base58.decode(a)), Buffer.from(base58.decode(b))),
    );
    expect(keys).toEqual(byBytes);
    expect(listKeys(await queryAccounts(node, 'registry', { sortResults: true }))).toEqual(keys);
  });

  test('set to false returns the same accounts in a different order', async () => {
    const sorted = listKeys(await queryAccounts(node, 'registry'));
    const unsorted = listKeys(await queryAccounts(node, 'registry', { sortResults: false }));
    expect(unsorted).not.toEqual(sorted);
    expect(unsorted.toSorted()).toEqual(sorted.toSorted());
  });
});
