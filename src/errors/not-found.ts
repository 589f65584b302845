import { examined, type NodeError } from './node-error.ts';

/** How a node of an EVM network reports a block, transaction, receipt or uncle that it does not have. */
interface Dialect {
  readonly codes: readonly number[];
  /** Matched against the start of the message; any message when undefined. */
  readonly says?: RegExp;
}

const dialects: readonly Dialect[] = [
  // "Unknown block" of the execution APIs (ethereum/execution-apis#879 lists who returns it). Besu,
  // RpcErrorType.java: `Unknown block`. Nethermind, BlockFinderExtensions.cs: `Unknown block error`.
  // reth 0.2, rpc/src/eth/error.rs: UnknownSafeOrFinalizedBlock. Erigon, rpchelper/rpc_block.go:
  // `Unknown block`; since erigontech/erigon#20149: `block "safe" not available (head block: 5)`.
  { codes: [-39001] },

  // geth 1.15, eth/api_backend.go (ethereum/go-ethereum#31949): `header not found`, `header for hash
  // not found`; all versions: `safe block not found`, `finalized block not found`. Nethermind since
  // NethermindEth/nethermind#11205: `header not found`. Besu, RpcErrorType.java: `Block not found`,
  // `Transaction not found`. Erigon, rpchelper/helper.go: `block 230d… not found`.
  // reth, rpc-eth-types/src/error/mod.rs: `block not found: 0x10`, `transaction not found`.
  {
    codes: [-32000, -32001],
    says: /^(?:(?:safe|finalized) )?(?:header|block|transaction|receipt|uncle)\b[^:]{0,100} not found/i,
  },

  // geth 1.11, eth/api_backend.go (ethereum/go-ethereum#27162): the tags safe and finalized.
  { codes: [-32000], says: /^'(?:safe|finalized)' tag not supported on pre-merge network/i },

  // reth 0.2 (paradigmxyz/reth#7368): `unknown block number`; #7416: `unknown block id: hash 0x…`; now
  // rpc-eth-types/src/error/mod.rs: `unknown block or tx index`.
  { codes: [-32000, -32001], says: /^unknown (?:block|transaction)\b/i },

  // EIP-1474 and EIP-1898 "Resource not found". anvil, crates/anvil/src/eth/error.rs: BlockNotFound.
  { codes: [-32001], says: /^(?:requested )?resource not found/i },

  // Nethermind before NethermindEth/nethermind#11205, BlockFinderExtensions.cs: `68719476735 could not
  // be found`; ReceiptFinderExtensions.cs: `0x… receipt could not be found`. The code was -32001 first.
  { codes: [-32000, -32001], says: /^\S{1,80}(?: receipt)? could not be found/i },

  // Nethermind until NethermindEth/nethermind#8654, EthRpcModule.cs: an index beyond the block.
  { codes: [-32602], says: /^position index is incorrect/i },

  // anvil, crates/anvil/src/eth/error.rs: `BlockOutOfRangeError: block height is 5 but requested was 9`.
  { codes: [-32602], says: /^blockoutofrange/i },
];

/** Returns whether an error of an EVM node means that it does not have what the call asks for. */
export function meansNotFound({ code, message }: NodeError): boolean {
  const text = examined(message);
  return dialects.some(
    ({ codes, says }) => codes.includes(code) && (says === undefined || says.test(text)),
  );
}
