import { NodeError } from '../node-server.ts';
import { openChain, pick, type Chain } from './chain.ts';
import { estimateGas, readGasCall } from './gas.ts';
import {
  optional,
  readAddress,
  readBlock,
  readBoolean,
  readHash,
  readObject,
  readParams,
  readQuantity,
  readStorageKeys,
  type Tag,
} from './params.ts';
import type { Entry, Recording } from './recording.ts';
import { readAccount, readStorage } from './state.ts';
import { indexNodes } from './trie.ts';

/** Answers one method. Throws NodeError. */
type Handler = (params: unknown) => unknown;

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function showBlock(entry: Entry | undefined, inFull: boolean): object | null {
  if (entry === undefined) return null;
  const { block } = entry;
  return inFull ? block : { ...block, transactions: block.transactions.map(({ hash }) => hash) };
}

/** Returns the entry with the state of a call. Throws NodeError if it does not exist. */
function requireEntry(chain: Chain, block: Tag | bigint): Entry {
  const entry = chain.at(block);
  if (entry === undefined) throw new NodeError(-32000, 'header not found');
  return entry;
}

/**
 * Returns the methods of the node, with geth's semantics: null for a missing block, transaction, uncle
 * or receipt, -32602 for invalid params, -32000 for unsupported calls.
 */
export function createHandlers(recording: Recording): Readonly<Record<string, Handler>> {
  const chain = openChain(recording);
  const nodes = indexNodes(recording.stateNodes);
  const { chainId } = recording;

  return {
    eth_chainId: () => quantity(chainId),
    net_version: () => String(chainId),
    web3_clientVersion: () => 'specgate-archive/v1/recorded',
    eth_syncing: () => false,
    eth_blockNumber: () => chain.head.block.number,

    eth_getBlockByNumber: (params) => {
      const [block, inFull] = readParams(params, [readBlock, readBoolean]);
      return showBlock(chain.at(block), inFull);
    },
    eth_getBlockByHash: (params) => {
      const [hash, inFull] = readParams(params, [readHash, readBoolean]);
      return showBlock(chain.withHash(hash), inFull);
    },
    eth_getUncleByBlockNumberAndIndex: (params) => {
      const [block, index] = readParams(params, [readBlock, readQuantity]);
      return pick(chain.at(block)?.uncles, index);
    },

    eth_getTransactionByHash: (params) => {
      const [hash] = readParams(params, [readHash]);
      const found = chain.locate(hash);
      return found?.entry.block.transactions[found.index] ?? null;
    },
    eth_getTransactionByBlockHashAndIndex: (params) => {
      const [hash, index] = readParams(params, [readHash, readQuantity]);
      return pick(chain.withHash(hash)?.block.transactions, index);
    },
    eth_getTransactionByBlockNumberAndIndex: (params) => {
      const [block, index] = readParams(params, [readBlock, readQuantity]);
      return pick(chain.at(block)?.block.transactions, index);
    },

    eth_getTransactionReceipt: (params) => {
      const [hash] = readParams(params, [readHash]);
      const found = chain.locate(hash);
      return found?.entry.receipts[found.index] ?? null;
    },
    eth_getBlockReceipts: (params) => {
      const [block] = readParams(params, [readBlock]);
      // The pending block has no receipts, so the latest block's are returned.
      return chain.at(block === 'pending' ? 'latest' : block)?.receipts ?? null;
    },

    eth_getProof: (params) => {
      const [address, keys, block] = readParams(params, [readAddress, readStorageKeys, readBlock]);
      const { stateRoot } = requireEntry(chain, block).block;
      const { account, proof } = readAccount(nodes, stateRoot, address);
      const storageProof = keys.map((key) => readStorage(nodes, account, key));
      return { address, accountProof: proof, ...account, storageProof };
    },
    eth_estimateGas: (params) => {
      const [call, block] = readParams(params, [readObject, optional(readBlock, 'latest')]);
      const { stateRoot, gasLimit } = requireEntry(chain, block).block;
      const gas = estimateGas(
        readGasCall(call),
        BigInt(gasLimit),
        (address) => readAccount(nodes, stateRoot, address).account,
      );
      return quantity(gas);
    },
  };
}
