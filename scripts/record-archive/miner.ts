import { type Block, type BlockHeader, createBlock } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import { createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { RLP } from '@ethereumjs/rlp';
import type { LegacyTx } from '@ethereumjs/tx';
import { createAccount, createAddressFromString, type PrefixedHexString } from '@ethereumjs/util';
import { createVM, runBlock, type RunBlockResult, type VM } from '@ethereumjs/vm';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { allocation, people } from './network.ts';

const blockTime = 14n;
const genesisTime = 1_470_000_000n;
const gasLimit = 4_712_388n;
const genesisDifficulty = 131_072n;

/** A block to mine on top of another. */
export interface BlockDraft {
  readonly parent: BlockHeader;
  readonly miner: PrefixedHexString;
  readonly transactions?: readonly LegacyTx[];
  readonly uncles?: readonly BlockHeader[];
  readonly note?: string;
}

export interface MinedBlock {
  readonly block: Block;
  readonly result: RunBlockResult;
}

/** Executes blocks by the rules of the network and keeps every resulting state. */
export interface Miner {
  readonly trie: MerklePatriciaTrie;
  readonly genesis: Block;
  mine(draft: BlockDraft): Promise<MinedBlock>;
}

/**
 * Returns a substitute for a proof of work. It is derived from `text`, so that it is the same in each
 * recording. Nothing checks it.
 */
function seal(text: string): { mixHash: Uint8Array; nonce: Uint8Array } {
  const mixHash = keccak_256(new TextEncoder().encode(text));
  return { mixHash, nonce: keccak_256(mixHash).slice(0, 8) };
}

async function createState(trie: MerklePatriciaTrie, common: Common): Promise<MerkleStateManager> {
  const state = new MerkleStateManager({ trie, common });
  await state.checkpoint();
  for (const address of Object.values(people)) {
    await state.putAccount(
      createAddressFromString(address),
      createAccount({ balance: allocation }),
    );
  }
  await state.commit();
  return state;
}

async function createGenesis(state: MerkleStateManager, common: Common): Promise<Block> {
  const header = {
    number: 0n,
    stateRoot: await state.getStateRoot(),
    difficulty: genesisDifficulty,
    gasLimit,
    timestamp: genesisTime,
    extraData: new TextEncoder().encode('specgate archive'),
    ...seal('genesis'),
  };
  return createBlock({ header }, { common, setHardfork: true });
}

async function mineBlock(vm: VM, common: Common, draft: BlockDraft): Promise<MinedBlock> {
  const { parent, miner, transactions = [], uncles = [], note = '' } = draft;
  const options = { common, setHardfork: true, calcDifficultyFromHeader: parent };
  const header = {
    parentHash: parent.hash(),
    number: parent.number + 1n,
    coinbase: miner,
    gasLimit,
    timestamp: parent.timestamp + blockTime,
    extraData: new TextEncoder().encode(note),
    uncleHash: keccak_256(RLP.encode(uncles.map((uncle) => uncle.raw()))),
    ...seal(`${parent.number + 1n} by ${miner}`),
  };
  const body = { transactions: [...transactions], uncleHeaders: [...uncles] };
  const unfinished = createBlock({ header, ...body }, options);
  const root = parent.stateRoot;
  const outcome = await runBlock(vm, {
    block: unfinished,
    root,
    generate: true,
    setHardfork: true,
    skipBlockValidation: true,
  });
  const filled = {
    ...header,
    stateRoot: outcome.stateRoot,
    receiptTrie: outcome.receiptsRoot,
    logsBloom: outcome.logsBloom,
    gasUsed: outcome.gasUsed,
    transactionsTrie: await unfinished.genTxTrie(),
  };
  const block = createBlock({ header: filled, ...body }, options);
  // Executes the block again, as a node that receives it would, to check every root in the header.
  const result = await runBlock(vm, {
    block,
    root,
    setHardfork: true,
    skipHeaderValidation: true,
  });
  return { block, result };
}

/** Creates a chain with its state and genesis block; blocks can be mined on top of any other. */
export async function createMiner(common: Common): Promise<Miner> {
  const trie = await createMPT({ useKeyHashing: true, common });
  const stateManager = await createState(trie, common);
  const vm = await createVM({ common, stateManager });
  return {
    trie,
    genesis: await createGenesis(stateManager, common),
    mine: (draft) => mineBlock(vm, common, draft),
  };
}
