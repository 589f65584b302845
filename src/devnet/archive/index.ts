import { type DevnetNode, NodeError, type NodeHandler, startNodeServer } from '../node-server.ts';
import { estimateGas, readGasCall, type Account, readAccount, readStorage } from './gas.ts';
import {
  method,
  readAddress,
  readBlock,
  readBoolean,
  readHash,
  readObject,
  readQuantity,
  readStorageKeys,
  type Tag,
} from './params.ts';
import { openChain, pick, recording, type Chain, type Entry } from './recording.ts';
import { indexNodes } from './trie.ts';

/**
 * Starts the node of the recorded chain, which has data that current nodes lack, such as uncles,
 * receipts with `root` and a pending block with nulls. HTTP only, on 127.0.0.1.
 *
 * @param options.port 0 or undefined: any free port.
 * @throws the socket's error, such as EADDRINUSE.
 */
export function startArchiveNode(options: { readonly port?: number } = {}): Promise<DevnetNode> {
  return startNodeServer({ name: 'archive', handle: createArchiveHandler(), ...options });
}

export function createArchiveHandler(): NodeHandler {
  const methods = new Map(Object.entries(createMethods()));
  return (name, params) => {
    const answer = methods.get(name);
    if (answer === undefined) {
      throw new NodeError(-32601, `the method ${name} does not exist/is not available`);
    }
    return answer(params);
  };
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function showBlock(entry: Entry | undefined, inFull: boolean): object | null {
  if (entry === undefined) return null;
  const { block } = entry;
  return inFull ? block : { ...block, transactions: block.transactions.map(({ hash }) => hash) };
}

/** Returns the entry with the state for a call. Throws NodeError if it does not exist. */
function requireEntry(chain: Chain, block: Tag | bigint): Entry {
  const entry = chain.at(block);
  if (entry === undefined) throw new NodeError(-32000, 'header not found');
  return entry;
}

/**
 * Returns the methods of the node, with geth's semantics: null for a missing block, transaction, uncle
 * or receipt, -32602 for invalid params, -32000 for unsupported calls.
 */
function createMethods(): Readonly<Record<string, (params: unknown) => unknown>> {
  const chain = openChain(recording);
  const nodes = indexNodes(recording.stateNodes);
  const { chainId } = recording;

  return {
    eth_chainId: () => quantity(chainId),
    net_version: () => String(chainId),
    web3_clientVersion: () => 'specgate-archive/v1/recorded',
    eth_syncing: () => false,
    eth_blockNumber: () => chain.head.block.number,

    eth_getBlockByNumber: method([readBlock, readBoolean], (block, inFull) =>
      showBlock(chain.at(block), inFull),
    ),
    eth_getBlockByHash: method([readHash, readBoolean], (hash, inFull) =>
      showBlock(chain.withHash(hash), inFull),
    ),
    eth_getUncleByBlockNumberAndIndex: method([readBlock, readQuantity], (block, index) =>
      pick(chain.at(block)?.uncles, index),
    ),

    eth_getTransactionByHash: method([readHash], (hash) => {
      const found = chain.locate(hash);
      return found?.entry.block.transactions[found.index] ?? null;
    }),
    eth_getTransactionByBlockHashAndIndex: method([readHash, readQuantity], (hash, index) =>
      pick(chain.withHash(hash)?.block.transactions, index),
    ),
    eth_getTransactionByBlockNumberAndIndex: method([readBlock, readQuantity], (block, index) =>
      pick(chain.at(block)?.block.transactions, index),
    ),

    eth_getTransactionReceipt: method([readHash], (hash) => {
      const found = chain.locate(hash);
      return found?.entry.receipts[found.index] ?? null;
    }),
    // The pending block has no receipts, so the latest block's are returned.
    eth_getBlockReceipts: method(
      [readBlock],
      (block) => chain.at(block === 'pending' ? 'latest' : block)?.receipts ?? null,
    ),

    eth_getProof: method([readAddress, readStorageKeys, readBlock], (address, keys, block) => {
      const { stateRoot } = requireEntry(chain, block).block;
      const { account, proof } = readAccount(nodes, stateRoot, address);
      const storageProof = keys.map((key) => readStorage(nodes, account, key));
      return { address, accountProof: proof, ...account, storageProof };
    }),
    eth_estimateGas: method(
      [readObject, readBlock],
      (call, block) => {
        const { stateRoot, gasLimit } = requireEntry(chain, block).block;
        const findAccount = (address: string): Account =>
          readAccount(nodes, stateRoot, address).account;
        return quantity(estimateGas(readGasCall(call), BigInt(gasLimit), findAccount));
      },
      ['latest'],
    ),
  };
}
