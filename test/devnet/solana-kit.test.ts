import {
  address,
  createSolanaRpc,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  type Base58EncodedBytes,
} from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import { solanaFacts as facts } from './solana-facts.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';

let node: DevnetNode;
beforeAll(async () => {
  node = await startSolanaNode();
});
afterAll(() => node.stop());

// By default @solana/kit asks for `confirmed`.
const connect = () => createSolanaRpc(node.httpUrl);
const token = address(facts.programs.token);
const ownedByBob = [
  { dataSize: 165n },
  {
    memcmp: {
      offset: 32n,
      bytes: facts.people.bob as string as Base58EncodedBytes,
      encoding: 'base58',
    },
  },
] as const;

test('@solana/kit finds a token account by owner, integers exact', async () => {
  const accounts = await connect()
    .getProgramAccounts(token, {
      commitment: 'confirmed',
      encoding: 'base64',
      filters: [...ownedByBob],
    })
    .send();
  expect(accounts).toMatchObject([
    {
      pubkey: facts.tokenAccounts.bobFrozen,
      account: { owner: token, lamports: 2039280n, space: 165n, executable: false },
    },
  ]);
  const [text, encoding] = accounts[0]!.account.data;
  expect(encoding).toBe('base64');
  expect(Buffer.from(text, 'base64')).toHaveLength(165);
});

test('@solana/kit reads jsonParsed with its context', async () => {
  const { context, value } = await connect()
    .getProgramAccounts(token, {
      commitment: 'finalized',
      encoding: 'jsonParsed',
      filters: [...ownedByBob],
      withContext: true,
    })
    .send();
  expect(context.slot).toBe(BigInt(facts.slots.finalized));
  expect(value).toMatchObject([
    { account: { data: { parsed: { info: { state: 'frozen' } }, program: 'spl-token' } } },
  ]);
});

test('@solana/kit reads lamports beyond 2^53 exactly', async () => {
  const accounts = await connect()
    .getProgramAccounts(address(facts.programs.registry), {
      encoding: 'base64',
      filters: [{ dataSize: 0n }],
    })
    .send();
  const treasury = accounts.find(({ pubkey }) => pubkey === facts.registryRecords[0]);
  expect(treasury?.account.lamports).toBe(facts.treasuryLamports);
});

test('@solana/kit recognizes an unmet minContextSlot', async () => {
  const minContextSlot = BigInt(facts.slots.finalized) + 5n;
  const failure: unknown = await connect()
    .getProgramAccounts(token, { commitment: 'finalized', encoding: 'base64', minContextSlot })
    .send()
    .catch((error: unknown) => error);
  const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED;
  expect(isSolanaError(failure, code)).toBe(true);
  expect(failure).toMatchObject({ context: { contextSlot: BigInt(facts.slots.finalized) } });
});

test('@solana/kit asks for what a gateway asks for', async () => {
  const rpc = connect();
  expect(await rpc.getHealth().send()).toBe('ok');
  expect(await rpc.getGenesisHash().send()).toBe(facts.genesisHash);
  for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
    expect(await rpc.getSlot({ commitment }).send()).toBe(BigInt(facts.slots[commitment]));
    const height = BigInt(facts.blockHeights[commitment]);
    expect(await rpc.getBlockHeight({ commitment }).send()).toBe(height);
  }
  expect(await rpc.getVersion().send()).toMatchObject({ 'solana-core': facts.version });
});
