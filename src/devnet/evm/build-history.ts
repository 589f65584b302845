import {
  emptyBlockCount,
  firstBlocks,
  lastBlock,
  pendingTransaction,
  type Draft,
} from './history.ts';
import type { Call } from './rpc.ts';

/** Seconds between two blocks. */
export const blockTime = 12;

function toHex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** Numbers the transactions of each sender from 0, in the order they are given. */
function createNonceGiver(): (from: string) => string {
  const next = new Map<string, number>();
  return (from) => {
    const nonce = next.get(from) ?? 0;
    next.set(from, nonce + 1);
    return toHex(nonce);
  };
}

/**
 * Makes a fresh anvil, started with mining off, go through the history. Blocks are mined only when
 * asked for, so afterwards the head stays where it is and the last transaction stays pending.
 *
 * @throws Error when the node refuses a step, naming the method.
 */
export async function buildHistory(call: Call): Promise<void> {
  const giveNonce = createNonceGiver();
  const send = (draft: Draft): Promise<unknown> =>
    call('eth_sendTransaction', [{ ...draft, nonce: giveNonce(draft.from) }]);
  const mine = async (drafts: readonly Draft[]): Promise<void> => {
    for (const draft of drafts) await send(draft);
    await call('anvil_mine', ['0x1']);
  };
  await call('anvil_setLoggingEnabled', [false]);
  await call('anvil_setBlockTimestampInterval', [blockTime]);
  for (const drafts of firstBlocks) await mine(drafts);
  await call('anvil_mine', [toHex(emptyBlockCount)]);
  await mine(lastBlock);
  await send(pendingTransaction);
}
