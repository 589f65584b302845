import * as ethers5 from 'ethers-5';
import { JsonRpcProvider, WebSocketProvider } from 'ethers';
import { defineLibrary, versionOf } from '../library.ts';

type Version6 = JsonRpcProvider | WebSocketProvider;

export const ethers = defineLibrary<Version6>({
  name: 'ethers',
  version: versionOf('ethers'),
  group: 'Ethereum libraries',
  transports: {
    http: (url) => {
      const client = new JsonRpcProvider(url);
      return { client, close: () => client.destroy() };
    },
    websocket: (url) => {
      const client = new WebSocketProvider(url);
      return { client, close: () => client.destroy() };
    },
  },
  own: {
    eth_getTransactionByHash: {
      name: 'getTransaction',
      call: async (client, [hash]) => (await client.getTransaction(hash))?.hash,
    },
    eth_getBlockByHash: {
      name: 'getBlock',
      call: async (client, [hash]) => (await client.getBlock(hash))?.hash,
    },
    eth_getBlockByNumber: {
      name: 'getBlock',
      call: async (client, [tag]) => (await client.getBlock(tag))?.hash,
    },
    eth_getTransactionReceipt: {
      name: 'getTransactionReceipt',
      call: async (client, [hash]) => (await client.getTransactionReceipt(hash))?.hash,
    },
    eth_estimateGas: {
      name: 'estimateGas',
      call: (client, [{ from, to, value }]) =>
        client.estimateGas({ from: from!, to: to!, value: value! }),
    },
    eth_chainId: {
      name: 'getNetwork',
      call: async (client) => (await client.getNetwork()).chainId,
    },
    eth_blockNumber: {
      name: 'getBlockNumber',
      call: async (client) => BigInt(await client.getBlockNumber()),
    },
  },
  raw: {
    functionOf: () => 'send',
    call: (client, method, params) => client.send(method, [...params]),
  },
});

type Version5 = ethers5.providers.JsonRpcProvider;

export const ethersBefore = defineLibrary<Version5>({
  name: 'ethers',
  version: versionOf('ethers-5'),
  group: 'Ethereum libraries',
  transports: {
    http: (url) => ({ client: new ethers5.providers.JsonRpcProvider(url) }),
    websocket: (url) => {
      const client = new ethers5.providers.WebSocketProvider(url);
      return { client, close: () => client.destroy() };
    },
  },
  own: {
    eth_getTransactionByHash: {
      name: 'getTransaction',
      call: async (client, [hash]) => (await client.getTransaction(hash)).hash,
    },
    eth_getBlockByHash: {
      name: 'getBlock',
      call: async (client, [hash]) => (await client.getBlock(hash)).hash,
    },
    eth_getBlockByNumber: {
      name: 'getBlock',
      call: async (client, [tag]) => (await client.getBlock(tag)).hash,
    },
    eth_getTransactionReceipt: {
      name: 'getTransactionReceipt',
      call: async (client, [hash]) => (await client.getTransactionReceipt(hash)).transactionHash,
    },
    eth_estimateGas: {
      name: 'estimateGas',
      call: async (client, [{ from, to, value }]) =>
        (await client.estimateGas({ from: from!, to: to!, value: value! })).toBigInt(),
    },
    eth_chainId: {
      name: 'getNetwork',
      call: async (client) => BigInt((await client.getNetwork()).chainId),
    },
    eth_blockNumber: {
      name: 'getBlockNumber',
      call: async (client) => BigInt(await client.getBlockNumber()),
    },
  },
  raw: {
    functionOf: () => 'send',
    call: (client, method, params) => client.send(method, [...params]) as Promise<unknown>,
  },
});
