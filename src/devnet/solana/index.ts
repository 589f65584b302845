import { startNodeServer } from '../node-server.ts';
import type { DevnetNode } from '../node.ts';
import { openLedger } from './ledger/ledger.ts';
import { handleMethods } from './rpc/methods.ts';

export { solanaFacts } from './facts.ts';

/**
 * Starts the Solana node of the development network: a litesvm ledger with fixed contents behind
 * the JSON-RPC methods a gateway and its clients use. `port` 0 or absent takes any free one.
 *
 * @throws Error when litesvm is not installed or the port is taken.
 */
export async function startSolanaNode(options: { port?: number } = {}): Promise<DevnetNode> {
  const handle = handleMethods(await openLedger());
  return startNodeServer({ name: 'solana', port: options.port ?? 0, handle });
}
