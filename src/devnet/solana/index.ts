import { type DevnetNode, startNodeServer } from '../node-server.ts';
import { openLedger } from './ledger/ledger.ts';
import { handleMethods } from './rpc/methods.ts';

export { solanaFacts } from './facts.ts';

/**
 * Starts the Solana node of the development network: a litesvm ledger with fixed contents behind
 * the JSON-RPC methods a gateway and its clients use. Port 0 or undefined is any free port.
 *
 * @throws Error if litesvm is not installed or the port is in use.
 */
export async function startSolanaNode(options: { port?: number } = {}): Promise<DevnetNode> {
  const handle = handleMethods(await openLedger());
  return startNodeServer({ name: 'solana', port: options.port ?? 0, handle });
}
