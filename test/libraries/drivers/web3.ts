import { Web3, WebSocketProvider } from 'web3';
import { defineLibrary, versionOf } from '../library.ts';

export const web3 = defineLibrary<Web3>({
  name: 'web3.js',
  version: versionOf('web3'),
  group: 'Ethereum libraries',
  refused: { websocket: 'eth_accounts' },
  transports: {
    http: (url) => ({ client: new Web3(url) }),
    websocket: (url) => {
      const provider = new WebSocketProvider(url);
      return { client: new Web3(provider), close: () => provider.disconnect() };
    },
  },
  own: {
    eth_getTransactionByHash: {
      name: 'eth.getTransaction',
      call: async ({ eth }, [hash]) => (await eth.getTransaction(hash)).hash,
    },
    eth_getTransactionByBlockHashAndIndex: {
      name: 'eth.getTransactionFromBlock',
      call: async ({ eth }, [block, index]) =>
        (await eth.getTransactionFromBlock(block, index))?.hash,
    },
    eth_getTransactionByBlockNumberAndIndex: {
      name: 'eth.getTransactionFromBlock',
      call: async ({ eth }, [block, index]) =>
        (await eth.getTransactionFromBlock(block, index))?.hash,
    },
    eth_getBlockByHash: {
      name: 'eth.getBlock',
      call: async ({ eth }, [hash]) => (await eth.getBlock(hash)).hash,
    },
    eth_getBlockByNumber: {
      name: 'eth.getBlock',
      call: async ({ eth }, [tag]) => (await eth.getBlock(tag)).hash,
    },
    eth_getUncleByBlockNumberAndIndex: {
      name: 'eth.getUncle',
      call: async ({ eth }, [block, index]) => (await eth.getUncle(block, index)).hash,
    },
    eth_getTransactionReceipt: {
      name: 'eth.getTransactionReceipt',
      call: async ({ eth }, [hash]) => (await eth.getTransactionReceipt(hash)).transactionHash,
    },
    eth_estimateGas: {
      name: 'eth.estimateGas',
      call: ({ eth }, [{ from, to, value }]) =>
        eth.estimateGas({ from: from!, to: to!, value: value! }),
    },
    eth_getProof: {
      name: 'eth.getProof',
      call: async ({ eth }, [address, keys, block]) => {
        const { storageProof } = await eth.getProof(address, keys as string[], block);
        return storageProof.map(({ value }) => BigInt(value));
      },
    },
    eth_chainId: { name: 'eth.getChainId', call: ({ eth }) => eth.getChainId() },
    net_version: { name: 'eth.net.getId', call: ({ eth }) => eth.net.getId() },
    eth_blockNumber: { name: 'eth.getBlockNumber', call: ({ eth }) => eth.getBlockNumber() },
    web3_clientVersion: { name: 'eth.getNodeInfo', call: ({ eth }) => eth.getNodeInfo() },
  },
  raw: {
    functionOf: () => 'requestManager.send',
    call: (client, method, params) => client.requestManager.send({ method, params } as never),
  },
});
