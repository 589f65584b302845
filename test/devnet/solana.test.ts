import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import { solanaFacts as facts } from './solana-facts.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { loadSvm } from '../../src/devnet/solana/ledger/litesvm.ts';
import { people } from '../../src/devnet/solana/addresses.ts';
import { tokenAccounts } from '../../src/devnet/solana/ledger/tokens.ts';
import { callNode, callText, listKeys, queryAccounts } from './solana-caller.ts';

let node: DevnetNode;
beforeAll(async () => {
  node = await startSolanaNode();
});
afterAll(() => node.stop());

const commitments = ['processed', 'confirmed', 'finalized'] as const;

test('has the same bytes at every start', async () => {
  const second = await startSolanaNode();
  try {
    for (const program of Object.values(facts.programs)) {
      for (const commitment of commitments) {
        const params = [program, { encoding: 'base64', commitment, withContext: true }];
        const [once, again] = await Promise.all([
          callText(node, 'getProgramAccounts', params),
          callText(second, 'getProgramAccounts', params),
        ]);
        expect(again).toBe(once);
      }
    }
  } finally {
    await second.stop();
  }
});

test.each(commitments)('has a fixed slot and height for %s', async (commitment) => {
  expect(await callNode(node, 'getSlot', [{ commitment }])).toMatchObject({
    result: facts.slots[commitment],
  });
  expect(await callNode(node, 'getBlockHeight', [{ commitment }])).toMatchObject({
    result: facts.blockHeights[commitment],
  });
});

test('newer commitments are further ahead', () => {
  expect(facts.slots.processed).toBeGreaterThan(facts.slots.confirmed);
  expect(facts.slots.confirmed).toBeGreaterThan(facts.slots.finalized);
});

test.each([
  ['getHealth', 'ok'],
  ['getGenesisHash', facts.genesisHash],
  ['getVersion', { 'feature-set': expect.any(Number), 'solana-core': facts.version }],
  ['getSlot', facts.slots.finalized],
])('answers %s as a node does', async (method, expected) => {
  expect(await callNode(node, method)).toMatchObject({ result: expected });
});

test('names wallets and token accounts by their real keys', () => {
  expect(facts.people).toEqual(people);
  const { dollarMint, badgeMint, ...accounts } = tokenAccounts;
  expect(facts.mints).toMatchObject({ dollar: dollarMint, badge: badgeMint });
  expect(facts.tokenAccounts).toEqual(accounts);
});

test.each(commitments)('counts the token program accounts of %s', async (commitment) => {
  const accounts = await queryAccounts(node, 'token', { commitment });
  expect(accounts).toHaveLength(facts.counts.token[commitment]);
});

test('has every finalized mint and token account that the facts name, and no others', async () => {
  const { daveLate, ...finalized } = facts.tokenAccounts;
  const named = [...Object.values(facts.mints), ...Object.values(finalized)];
  const held = listKeys(await queryAccounts(node, 'token'));
  expect(held.toSorted()).toEqual(named.toSorted());
  expect(held).not.toContain(daveLate);
});

test('counts mints, dollar accounts and the accounts of Alice', async () => {
  const { mintSize, accountSize, accountMintOffset, accountOwnerOffset } = facts.tokenLayout;
  const count = async (...filters: object[]): Promise<number> =>
    (await queryAccounts(node, 'token', { filters })).length;
  const dollars = { offset: accountMintOffset, bytes: facts.mints.dollar };
  const alice = { offset: accountOwnerOffset, bytes: facts.people.alice };
  expect(await count({ dataSize: mintSize })).toBe(facts.counts.mints);
  expect(await count({ dataSize: facts.tokenLayout.multisigSize })).toBe(1);
  expect(await count({ memcmp: dollars })).toBe(facts.counts.dollarAccounts);
  expect(await count({ dataSize: accountSize }, { memcmp: alice })).toBe(
    facts.counts.accountsOfAlice,
  );
  const parsed = await queryAccounts(node, 'token', { encoding: 'jsonParsed' });
  expect(parsed).toHaveLength(facts.counts.tokenParsed);
});

test('the registry owns 320 accounts of 0 to 300 bytes', async () => {
  const sizes = (await queryAccounts(node, 'registry')).map(({ account }) => account.space);
  expect(sizes).toHaveLength(facts.counts.registry);
  expect(new Set(sizes)).toEqual(new Set(Array.from({ length: 301 }, (_, size) => size)));
  for (const [size, count] of Object.entries(facts.counts.registryBySize)) {
    expect(sizes.filter((other) => other === Number(size))).toHaveLength(count);
  }
});

test.each(Object.entries(facts.registryKinds))(
  'finds the %s records by discriminator, in either encoding',
  async (_kind, { base58, base64, count }) => {
    const offset = facts.registryLayout.discriminatorOffset;
    const find = (memcmp: object) =>
      queryAccounts(node, 'registry', { filters: [{ memcmp: { offset, ...memcmp } }] });
    expect(await find({ bytes: base58 })).toHaveLength(count);
    expect(await find({ bytes: base64, encoding: 'base64' })).toHaveLength(count);
  },
);

test.each(Object.entries(facts.registryRecords))(
  'finds record %s by its index and at its size',
  async (index, pubkey) => {
    const size = Number(index);
    const bytes = [size & 255, size >> 8, 0, 0];
    const memcmp = { offset: facts.registryLayout.indexOffset, bytes };
    const filters = size === 0 ? [{ dataSize: 0 }] : [{ dataSize: size }, { memcmp }];
    const found = await queryAccounts(node, 'registry', { filters });
    expect(listKeys(found)).toContain(pubkey);
    expect(found).toHaveLength(size === 0 ? facts.counts.registryBySize[0] : 1);
  },
);

test('finds records by authority', async () => {
  const memcmp = { offset: facts.registryLayout.authorityOffset, bytes: facts.people.alice };
  const found = await queryAccounts(node, 'registry', { filters: [{ memcmp }, { dataSize: 44 }] });
  expect(listKeys(found)).toEqual([facts.registryRecords[44]]);
});

test('writes integers that a double cannot represent exactly', async () => {
  const params = [facts.programs.registry, { filters: [{ dataSize: 0 }], encoding: 'base64' }];
  const text = await callText(node, 'getProgramAccounts', params);
  expect(text).toContain(`"lamports":${facts.treasuryLamports}`);
  expect(text).toContain(`"rentEpoch":${facts.rentEpoch}`);
  expect(facts.rentEpoch).toBe(18446744073709551615n);
});

test('reports a missing package and how to install it, in one line', async () => {
  const missing = (): Promise<never> => Promise.reject(new Error('Cannot find package'));
  await expect(loadSvm(missing)).rejects.toThrow(/^[^\n]*litesvm[^\n]*npm install[^\n]*$/);
});
