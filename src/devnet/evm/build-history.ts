import {
  type Draft,
  emptyBlockCount,
  firstBlocks,
  lastBlock,
  pendingTransaction,
} from './history.ts';

/** Seconds between two blocks. */
const blockTime = 12;

function toHex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** Returns the nonces of each sender, from 0. */
function createNonces(): (from: string) => string {
  const next = new Map<string, number>();
  return (from) => {
    const nonce = next.get(from) ?? 0;
    next.set(from, nonce + 1);
    return toHex(nonce);
  };
}

/**
 * Replays the history on a new anvil without automatic mining, so that afterwards the head does not
 * change and the last transaction stays pending.
 *
 * @throws Error with the method if the node rejects a step.
 */
export async function buildHistory(call: Call): Promise<void> {
  const nextNonce = createNonces();
  const send = (draft: Draft): Promise<unknown> =>
    call('eth_sendTransaction', [{ ...draft, nonce: nextNonce(draft.from) }]);
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

/** Calls a method of a node. Rejects with the node's message. */
export interface Call {
  (method: string, params: readonly unknown[]): Promise<unknown>;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const callTimeoutMs = 10_000;

export function createCall(url: string): Call {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const { result, error } = (await response.json()) as Answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message} (${error.code})`);
    return result;
  };
}
