import { createPublicClient, http, webSocket, type PublicClient } from 'viem';
import { defineLibrary, versionOf } from '../library.ts';

const connect = (transport: Parameters<typeof createPublicClient>[0]['transport']): PublicClient =>
  createPublicClient({ transport });

export const viem = defineLibrary<PublicClient>({
  name: 'viem',
  version: versionOf('viem'),
  group: 'Ethereum libraries',
  transports: {
    http: (url) => ({ client: connect(http(url)) }),
    websocket: (url) => {
      const client = connect(webSocket(url));
      return {
        client,
        close: async () => {
          const socket = (await client.transport['getRpcClient']()) as { close(): void };
          socket.close();
        },
      };
    },
  },
  own: {
    eth_getTransactionByHash: {
      name: 'getTransaction',
      call: async (client, [hash]) => (await client.getTransaction({ hash })).hash,
    },
    eth_getTransactionByBlockHashAndIndex: {
      name: 'getTransaction',
      call: async (client, [blockHash, index]) =>
        (await client.getTransaction({ blockHash, index: Number(index) })).hash,
    },
    eth_getTransactionByBlockNumberAndIndex: {
      name: 'getTransaction',
      call: async (client, [block, index]) =>
        (await client.getTransaction({ blockNumber: BigInt(block), index: Number(index) })).hash,
    },
    eth_getBlockByHash: {
      name: 'getBlock',
      call: async (client, [blockHash]) => (await client.getBlock({ blockHash })).hash,
    },
    eth_getBlockByNumber: {
      name: 'getBlock',
      call: async (client, [blockTag]) =>
        (await client.getBlock({ blockTag: blockTag as 'finalized' })).hash,
    },
    eth_getBlockReceipts: {
      name: 'getBlockReceipts',
      call: async (client, [block]) => {
        const receipts = await client.getBlockReceipts({ blockNumber: BigInt(block) });
        return receipts.map(({ transactionHash }) => transactionHash);
      },
    },
    eth_getTransactionReceipt: {
      name: 'getTransactionReceipt',
      call: async (client, [hash]) =>
        (await client.getTransactionReceipt({ hash })).transactionHash,
    },
    eth_estimateGas: {
      name: 'estimateGas',
      call: (client, [{ from, to, value }]) =>
        client.estimateGas({ account: from!, to: to!, value: BigInt(value!), prepare: false }),
    },
    eth_getProof: {
      name: 'getProof',
      call: async (client, [address, storageKeys]) => {
        const { storageProof } = await client.getProof({
          address,
          storageKeys: storageKeys as `0x${string}`[],
        });
        return storageProof.map(({ value }) => value);
      },
    },
    eth_chainId: {
      name: 'getChainId',
      call: async (client) => BigInt(await client.getChainId()),
    },
    eth_blockNumber: { name: 'getBlockNumber', call: (client) => client.getBlockNumber() },
  },
  raw: {
    functionOf: () => 'request',
    call: (client, method, params) => client.request({ method, params } as never),
  },
});
