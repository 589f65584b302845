/**
 * Mines the recorded chain and writes it to src/devnet/archive/recording.json:
 * `node scripts/record-archive.ts`. The output is the same on every machine.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Entry, Recording } from './record-archive/records.ts';
import type { MinedBlock } from './record-archive/miner.ts';
import { chainId } from './record-archive/network.ts';
import { hidePending, shapeBlock, shapeReceipts, shapeUncle } from './record-archive/shapes.ts';
import { collectStateNodes } from './record-archive/state-nodes.ts';
import { mineStory } from './record-archive/story.ts';

export const recordingFile = new URL('../src/devnet/archive/recording.json', import.meta.url);

/** How many of the newest states are kept; a real node keeps 128. */
const keptStates = 3;

function shapeEntry(mined: MinedBlock, totalDifficulty: bigint): Entry {
  return {
    block: shapeBlock(mined.block, totalDifficulty),
    uncles: mined.block.uncleHeaders.map(shapeUncle),
    receipts: shapeReceipts(mined),
  };
}

/** Returns the text of recording.json. */
export async function renderRecording(): Promise<string> {
  const { miner, blocks, pending } = await mineStory();
  let totalDifficulty = miner.genesis.header.difficulty;
  const genesis: Entry = {
    block: shapeBlock(miner.genesis, totalDifficulty),
    uncles: [],
    receipts: [],
  };
  const shapeNext = (mined: MinedBlock): Entry => {
    totalDifficulty += mined.block.header.difficulty;
    return shapeEntry(mined, totalDifficulty);
  };
  const entries = [genesis, ...blocks.map(shapeNext)];
  const kept = [...blocks.slice(-keptStates), pending].map(({ block }) => block.header.stateRoot);
  const recording: Recording = {
    chainId,
    entries,
    pending: hidePending(shapeNext(pending)),
    stateNodes: await collectStateNodes(miner.trie, kept),
  };
  return `${JSON.stringify(recording, null, 1)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(recordingFile, await renderRecording());
}
