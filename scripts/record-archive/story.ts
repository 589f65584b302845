import type { Block } from '@ethereumjs/block';
import {
  createContractAddress,
  createAddressFromString,
  type PrefixedHexString,
} from '@ethereumjs/util';
import { archiveContracts, compileContracts } from '../compile-contracts.ts';
import { encodeCall } from '../../src/devnet/evm/contracts.ts';
import { createMiner, type MinedBlock, type Miner } from './miner.ts';
import { createRules, createSigner, type Draft, miners, people } from './network.ts';

/** The recorded chain as it was mined: the blocks from number 1 on, and the pending block. */
export interface Story {
  readonly miner: Miner;
  readonly blocks: readonly MinedBlock[];
  readonly pending: MinedBlock;
}

const { ada, ben, cleo } = people;
const { mia, noa, oto } = miners;
const ether = 10n ** 18n;
const transferGas = 21_000;

/** An address without a known key, which only receives. */
const stranger: PrefixedHexString = '0x00000000000000000000000000000000c0ffee00';

/** Address of the guestbook, which ada's second transaction creates. */
export const guestbook = createContractAddress(createAddressFromString(ada), 1n).toString();

function compileGuestbook(): {
  create(line: string): PrefixedHexString;
  sign(line: string): PrefixedHexString;
} {
  const { Guestbook } = compileContracts(archiveContracts, 'homestead');
  if (Guestbook === undefined) throw new Error('contract Guestbook not found');
  const { bytecode, selectors } = Guestbook;
  const encode = (head: string | undefined, line: string): PrefixedHexString =>
    encodeCall(head ?? '', [], line) as PrefixedHexString;
  return {
    create: (line) => encode(bytecode, line),
    sign: (line) => encode(selectors['sign(string)'], line),
  };
}

/** Returns the transactions by block number; blocks that are not listed are empty. */
function draftTransactions(): Readonly<Record<number, readonly Draft[]>> {
  const { create, sign } = compileGuestbook();
  const entry = (from: Draft['from'], line: string, gas = 200_000): Draft => ({
    from,
    to: guestbook,
    data: sign(line),
    gas,
  });
  const give = (from: Draft['from'], to: PrefixedHexString, value: bigint): Draft => ({
    from,
    to,
    value,
    gas: transferGas,
  });
  return {
    1: [give('ada', ben, ether)],
    2: [{ from: 'ada', data: create('ada was here'), gas: 800_000 }, give('ben', cleo, 2n * ether)],
    3: [entry('ben', 'greetings from ben'), entry('cleo', 'hello')],
    5: [
      give('cleo', stranger, 3n),
      entry('cleo', 'too little gas for this', 30_000),
      entry('ada', 'again'),
    ],
    7: [give('ben', ada, ether / 2n)],
    8: [entry('ben', 'after the fork'), entry('cleo', 'this line is longer than the book allows')],
    10: [give('ada', cleo, ether / 4n), entry('ada', 'the last entry')],
    11: [give('ben', cleo, ether / 8n), entry('cleo', 'not yet')],
  };
}

/**
 * Mines the chain. Block 5 has one uncle, block 7 has two, and the pending block 11 has one: siblings of
 * the block before it.
 */
export async function mineStory(): Promise<Story> {
  const rules = createRules();
  const miner = await createMiner(rules);
  const sign = createSigner(rules);
  const drafts = draftTransactions();
  const chain: Block[] = [miner.genesis];
  const blocks: MinedBlock[] = [];

  const header = (number: number): Block['header'] => chain[number]!.header;
  const findUncle = async (number: number, by: PrefixedHexString): Promise<Block['header']> =>
    (await miner.mine({ parent: header(number - 1), miner: by, note: 'too late' })).block.header;
  const mineNext = async (uncles: readonly Block['header'][] = []): Promise<MinedBlock> => {
    const number = chain.length;
    const transactions = (drafts[number] ?? []).map((draft) => sign(draft, number));
    return miner.mine({ parent: header(number - 1), miner: mia, transactions, uncles });
  };
  const extend = async (uncles: readonly Block['header'][] = []): Promise<void> => {
    const mined = await mineNext(uncles);
    chain.push(mined.block);
    blocks.push(mined);
  };

  for (let number = 1; number <= 4; number += 1) await extend();
  await extend([await findUncle(4, noa)]);
  await extend();
  await extend([await findUncle(6, noa), await findUncle(6, oto)]);
  for (let number = 8; number <= 10; number += 1) await extend();
  return { miner, blocks, pending: await mineNext([await findUncle(10, oto)]) };
}
