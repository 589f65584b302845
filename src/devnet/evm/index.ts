import type { DevnetNode } from '../node-server.ts';
import { startAnvil } from './anvil.ts';
import { mnemonic } from './contracts.ts';
import {
  type Draft,
  emptyBlockCount,
  firstBlocks,
  lastBlock,
  pendingTransaction,
} from './history.ts';

/** These flags and the history determine all block hashes. */
const flags: readonly string[] = [
  ['--chain-id', '31337'],
  ['--hardfork', 'prague'],
  ['--mnemonic', mnemonic],
  ['--accounts', '10'],
  ['--balance', '10000'],
  ['--timestamp', '1700000000'],
  ['--base-fee', '1000000000'],
  ['--gas-limit', '30000000'],
  ['--slots-in-an-epoch', '32'],
  ['--order', 'fifo'],
  ['--no-mining'],
].flat();

/**
 * Starts anvil on 127.0.0.1 with the history of `evmFacts`: the same blocks and hashes on each start and
 * machine. HTTP and WebSocket share the port.
 *
 * @param options.port 0 or undefined: any free port.
 * @throws Error of one line if anvil is not installed or does not start.
 */
export async function startEvmNode(options: { readonly port?: number } = {}): Promise<DevnetNode> {
  const anvil = await startAnvil(options.port ?? 0, flags);
  const httpUrl = `http://127.0.0.1:${anvil.port}`;
  try {
    await buildHistory(createCall(httpUrl));
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return { name: 'evm', httpUrl, wsUrl: `ws://127.0.0.1:${anvil.port}`, stop: anvil.stop };
}

/** Seconds between two blocks. */
const blockTime = 12;

function toHex(value: number): string {
  return `0x${value.toString(16)}`;
}

/**
 * Replays the history on a new anvil without automatic mining, so that afterwards the head does not
 * change and the last transaction stays pending.
 *
 * @throws Error with the method if the node rejects a step.
 */
async function buildHistory(call: Call): Promise<void> {
  const nonces = new Map<string, number>();
  const send = async (draft: Draft): Promise<void> => {
    const nonce = nonces.get(draft.from) ?? 0;
    nonces.set(draft.from, nonce + 1);
    await call('eth_sendTransaction', [{ ...draft, nonce: toHex(nonce) }]);
  };
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
interface Call {
  (method: string, params: readonly unknown[]): Promise<unknown>;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const callTimeoutMs = 10_000;

function createCall(url: string): Call {
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
