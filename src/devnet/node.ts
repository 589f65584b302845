/** A running development node: what the gateway's dev configuration takes as an upstream. */
export interface DevnetNode {
  /** The network's name, for messages: `evm`, `archive`, `solana`. */
  readonly name: string;
  /** Where it answers JSON-RPC over HTTP POST, such as `http://127.0.0.1:41234`. */
  readonly httpUrl: string;
  /** Where it answers JSON-RPC over WebSocket, if it does. */
  readonly wsUrl?: string;
  /** Closes every socket and frees the port; resolves once nothing is left open. */
  stop(): Promise<void>;
}
