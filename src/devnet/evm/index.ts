import type { DevnetNode } from '../node-server.ts';
import { mnemonic } from './contracts.ts';
import { locateAnvil } from './anvil-binary.ts';
import { startAnvil } from './anvil-process.ts';
import { buildHistory, createCall } from './build-history.ts';

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
