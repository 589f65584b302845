import { zstdDecompressSync } from 'node:zlib';
import { base58 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import { solanaFacts as facts } from './solana-facts.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import {
  callNode,
  callText,
  listKeys,
  ownedBy,
  queryAccounts,
  readBytes,
  readRecord,
} from './solana-caller.ts';

const { people, tokenAccounts } = facts;

let node: DevnetNode;
beforeAll(async () => {
  node = await startSolanaNode();
});
afterAll(() => node.stop());

describe('encodings', () => {
  test('without an encoding the data is a bare base58 string', async () => {
    const bytes = await readBytes(node, 40);
    const params = [facts.programs.registry, { filters: [{ dataSize: 40 }] }];
    const { result } = await callNode(node, 'getProgramAccounts', params);
    expect(result).toMatchObject([{ account: { data: base58.encode(bytes) } }]);
    expect(await readRecord(node, 40, { encoding: 'binary' })).toBe(base58.encode(bytes));
  });

  test('base58 is a pair of text and name', async () => {
    const bytes = await readBytes(node, 40);
    expect(await readRecord(node, 40, { encoding: 'base58' })).toEqual([
      base58.encode(bytes),
      'base58',
    ]);
  });

  test('base64 is a pair of text and name, and the bytes are the record', async () => {
    const bytes = await readBytes(node, 200);
    expect(bytes).toHaveLength(200);
    expect(bytes.readUInt32LE(facts.registryLayout.indexOffset)).toBe(200);
  });

  test('base64+zstd decompresses to the same bytes', async () => {
    const [text, name] = (await readRecord(node, 200, { encoding: 'base64+zstd' })) as [
      string,
      string,
    ];
    expect(name).toBe('base64+zstd');
    expect(zstdDecompressSync(Buffer.from(text, 'base64'))).toEqual(await readBytes(node, 200));
  });

  test('base58 takes 128 bytes, and not 129', async () => {
    expect(await readRecord(node, 128, { encoding: 'base58' })).toEqual([
      expect.any(String),
      'base58',
    ]);
    await expect(readRecord(node, 129, { encoding: 'base58' })).rejects.toThrow(
      'less than 128 bytes',
    );
    await expect(readRecord(node, 129, { encoding: 'binary' })).rejects.toThrow(
      'less than 128 bytes',
    );
  });

  test('empty data is an empty string', async () => {
    const accounts = await queryAccounts(node, 'registry', { filters: [{ dataSize: 0 }] });
    expect(accounts.map(({ account }) => account.data)).toEqual([
      ['', 'base64'],
      ['', 'base64'],
    ]);
  });

  test('an account has owner, lamports, executable, rentEpoch and space, in the order of Agave', async () => {
    const params = [facts.programs.registry, { filters: [{ dataSize: 19 }], encoding: 'base64' }];
    const text = await callText(node, 'getProgramAccounts', params);
    expect(text).toMatch(
      /^\{"jsonrpc":"2.0","result":\[\{"account":\{"data":\["[^"]+","base64"\],"executable":false,"lamports":\d+,"owner":"SpecgateRegistry1+","rentEpoch":18446744073709551615,"space":19\},"pubkey":"\w+"\}\],"id":1\}$/,
    );
  });
});

describe('dataSlice', () => {
  test.each([
    ['a window', { offset: 8, length: 4 }, [200, 0, 0, 0]],
    ['what is left after the offset', { offset: 198, length: 100 }, [142, 143]],
    ['nothing past the end', { offset: 200, length: 5 }, []],
    ['nothing for length 0', { offset: 3, length: 0 }, []],
  ])('cuts %s', async (_name, dataSlice, expected) => {
    const bytes = Buffer.from(expected);
    for (const encoding of ['base58', 'base64', 'base64+zstd', 'binary']) {
      const data = await readRecord(node, 200, { dataSlice, encoding });
      const text = typeof data === 'string' ? data : (data as [string])[0];
      if (encoding === 'base64') expect(text).toBe(bytes.toString('base64'));
      else if (encoding === 'base64+zstd') {
        expect(zstdDecompressSync(Buffer.from(text, 'base64'))).toEqual(bytes);
      } else expect(text).toBe(base58.encode(bytes));
    }
  });

  test('shortens long data to the base58 limit', async () => {
    const dataSlice = { offset: 0, length: 128 };
    const bytes = (await readBytes(node, 300)).subarray(0, 128);
    const data = await readRecord(node, 300, { encoding: 'base58', dataSlice });
    expect(data).toEqual([base58.encode(bytes), 'base58']);
  });

  test('does not change space, the full size', async () => {
    const dataSlice = { offset: 0, length: 1 };
    const [account] = await queryAccounts(node, 'registry', {
      filters: [{ dataSize: 300 }],
      dataSlice,
    });
    expect(account).toMatchObject({ account: { space: 300 } });
  });
});

describe('jsonParsed', () => {
  const parse = async (filters: object[], config: object = {}): Promise<unknown[]> => {
    const found = await queryAccounts(node, 'token', {
      encoding: 'jsonParsed',
      filters,
      ...config,
    });
    return found.map(({ account }) => account.data);
  };

  test('parses a delegated token account with a close authority', async () => {
    expect(await parse(ownedBy(people.carol))).toEqual([
      {
        program: 'spl-token',
        space: 165,
        parsed: {
          type: 'account',
          info: {
            mint: facts.mints.dollar,
            owner: people.carol,
            state: 'initialized',
            isNative: false,
            tokenAmount: {
              amount: '10000000',
              decimals: 6,
              uiAmount: 10,
              uiAmountString: '10',
            },
            delegate: people.bob,
            delegatedAmount: {
              amount: '2500000',
              decimals: 6,
              uiAmount: 2.5,
              uiAmountString: '2.5',
            },
            closeAuthority: people.alice,
          },
        },
      },
    ]);
  });

  test('parses a frozen account', async () => {
    expect(await parse(ownedBy(people.bob))).toMatchObject([
      { parsed: { info: { state: 'frozen', tokenAmount: { amount: '50000000' } } } },
    ]);
  });

  test('parses wrapped lamports with their reserve', async () => {
    const [wrapped] = await parse([
      ...ownedBy(people.alice),
      { memcmp: { offset: 0, bytes: facts.mints.native } },
    ]);
    expect(wrapped).toMatchObject({
      parsed: {
        info: {
          isNative: true,
          rentExemptReserve: { amount: '2039280', decimals: 9, uiAmountString: '0.00203928' },
          tokenAmount: { amount: '1500000000', uiAmount: 1.5, uiAmountString: '1.5' },
        },
      },
    });
  });

  test('keeps amounts beyond 2^53 exact, as strings', async () => {
    const amounts = await parse(ownedBy(people.alice));
    expect(JSON.stringify(amounts)).toContain('"amount":"18014398509481985"');
    expect(JSON.stringify(amounts)).toContain('"uiAmountString":"18014398509.481985"');
  });

  test('parses mints, with null for authorities that were removed', async () => {
    const mints = await queryAccounts(node, 'token', {
      encoding: 'jsonParsed',
      filters: [{ dataSize: 82 }],
    });
    const info = new Map(
      mints.map(({ pubkey, account }) => [
        pubkey,
        (account.data as { parsed: { type: string; info: unknown } }).parsed,
      ]),
    );
    expect(info.get(facts.mints.badge)).toEqual({
      type: 'mint',
      info: {
        decimals: 0,
        freezeAuthority: null,
        isInitialized: true,
        mintAuthority: null,
        supply: '1',
      },
    });
    expect(info.get(facts.mints.dollar)).toMatchObject({
      info: {
        decimals: 6,
        freezeAuthority: people.issuer,
        mintAuthority: people.issuer,
        supply: '18014399804049875',
      },
    });
  });

  test('parses a multisig', async () => {
    expect(await parse([{ dataSize: 355 }])).toMatchObject([
      {
        program: 'spl-token',
        parsed: {
          type: 'multisig',
          info: {
            isInitialized: true,
            numRequiredSigners: 2,
            numValidSigners: 3,
            signers: [people.alice, people.bob, people.carol],
          },
        },
      },
    ]);
  });

  test('leaves out a token program account it cannot parse', async () => {
    const parsed = await queryAccounts(node, 'token', { encoding: 'jsonParsed' });
    expect(listKeys(parsed)).not.toContain(tokenAccounts.uninitialized);
  });

  test('ignores dataSlice for accounts that it parses', async () => {
    const dataSlice = { offset: 0, length: 1 };
    expect(await parse(ownedBy(people.bob), { dataSlice })).toMatchObject([
      { parsed: { info: { owner: people.bob } } },
    ]);
  });

  test('falls back to base64, dataSlice applied, for a program without a parser', async () => {
    const dataSlice = { offset: 8, length: 4 };
    expect(await readRecord(node, 200, { encoding: 'jsonParsed', dataSlice })).toEqual([
      'yAAAAA==',
      'base64',
    ]);
  });

  test('names Token-2022 as the program of its native mint', async () => {
    expect(await queryAccounts(node, 'token2022', { encoding: 'jsonParsed' })).toMatchObject([
      { account: { data: { program: 'spl-token-2022', parsed: { type: 'mint' } } } },
    ]);
  });
});
