import type { DevnetNode } from '../node.ts';
import { mnemonic } from './accounts.ts';
import { locateAnvil } from './anvil-binary.ts';
import { startAnvil } from './anvil-process.ts';
import { buildHistory } from './build-history.ts';
import { createCall } from './rpc.ts';

/** Everything a block's hash depends on is fixed here or in the history. */
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
 * Starts a real EVM node, anvil, on 127.0.0.1 with the history of `evmFacts`: the same blocks with
 * the same hashes at each start, on each machine. HTTP and WebSocket share the port.
 *
 * @param options.port 0 or absent takes any free one.
 * @throws Error of one line when anvil is not installed or cannot start.
 */
export async function startEvmNode(options: { readonly port?: number } = {}): Promise<DevnetNode> {
  const anvil = await startAnvil(locateAnvil(), { port: options.port ?? 0, flags });
  const httpUrl = `http://127.0.0.1:${anvil.port}`;
  try {
    await buildHistory(createCall(httpUrl));
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return { name: 'evm', httpUrl, wsUrl: `ws://127.0.0.1:${anvil.port}`, stop: anvil.stop };
}
