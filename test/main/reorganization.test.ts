import { expect, it, onTestFinished } from 'vitest';
import { startAnvil } from '../../src/devnet/evm/anvil.ts';
import { protocol } from '../../src/main/dependencies.ts';
import { configFor, start } from './support.ts';
import { atScale } from '../support/soak.ts';

type Params = readonly unknown[];

const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** anvil's finalized block is two epochs behind the newest. */
const EPOCH_SLOTS = 4;
const FINAL_AFTER = 2 * EPOCH_SLOTS;
/** Enough for final blocks, and for a reorganization of each depth. */
const ROUNDS = atScale(12, FINAL_AFTER + 1);

async function ask(url: string, method: string, params: Params): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: object };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

it('a chain that is reorganized never gets an old answer from the cache', async () => {
  const anvil = await startAnvil(0, ['--slots-in-an-epoch', String(EPOCH_SLOTS)]);
  onTestFinished(() => anvil.stop());
  const node = `http://127.0.0.1:${anvil.port}`;
  const plan = { plan: 'custom', creditsPerDay: 100_000_000, callsPerSecond: 100_000 };
  const config = await configFor([new URL(node)]);
  const gateway = await start(
    {
      ...config,
      accounts: [{ ...config.accounts[0]!, ...plan }],
      limits: { ...config.limits, probes_per_finalized: 1 },
    },
    { protocol },
  );
  const transactions: unknown[] = [];
  const mine = async (): Promise<void> => {
    const transaction = { from: SENDER, to: SENDER, value: '0x1' };
    transactions.push(await ask(node, 'eth_sendTransaction', [transaction]));
    await ask(node, 'anvil_mine', ['0x1']);
  };
  const height = async (): Promise<number> => Number(await ask(node, 'eth_blockNumber', []));

  /** Asks for all there is, and compares with what the node says. */
  const compare = async (): Promise<void> => {
    const blocks = Array.from({ length: (await height()) + 1 }, (_, at) => `0x${at.toString(16)}`);
    const calls: [string, Params][] = [
      ...blocks.flatMap((number): [string, Params][] => [
        ['eth_getBlockByNumber', [number, true]],
        ['eth_getBlockReceipts', [number]],
        ['eth_getTransactionByBlockNumberAndIndex', [number, '0x0']],
      ]),
      ...transactions.flatMap((hash): [string, Params][] => [
        ['eth_getTransactionByHash', [hash]],
        ['eth_getTransactionReceipt', [hash]],
      ]),
    ];
    const answersOf = (url: string): Promise<unknown[]> =>
      Promise.all(calls.map(([method, params]) => ask(url, method, params)));
    expect(await answersOf(gateway.rpcUrl)).toEqual(await answersOf(node));
  };
  const hits = async (): Promise<number> => {
    const text = await (await fetch(new URL('metrics', gateway.ops!))).text();
    const lines = text.matchAll(/^specgate_cache_lookups_total\{.*outcome="hit"\} (\d+)$/gm);
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    await mine();
    await compare();
    await ask(node, 'anvil_reorg', [1 + (round % FINAL_AFTER), []]);
    await compare();
    await compare();
  }
  await expect.poll(async () => (await compare(), await hits())).toBeGreaterThan(0);
});
