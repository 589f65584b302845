/**
 * One full, valid parameter list per method: every parameter and every field the interface
 * describes, so that damage to any of them can be tried.
 */
import type { Json } from './document.ts';

const hash = `0x${'ab'.repeat(32)}`;
const address = `0x${'cd'.repeat(20)}`;
const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

export const fullParams: Readonly<Record<string, readonly Json[]>> = {
  getProgramAccounts: [
    token,
    {
      commitment: 'confirmed',
      encoding: 'base64',
      dataSlice: { offset: 0, length: 8 },
      minContextSlot: 1,
      withContext: true,
      filters: [{ memcmp: { offset: 0, bytes: '3Mc6vR', encoding: 'base58' } }, { dataSize: 165 }],
    },
  ],
  eth_getTransactionByHash: [hash],
  eth_getTransactionByBlockHashAndIndex: [hash, '0x0'],
  eth_getTransactionByBlockNumberAndIndex: ['0x1', '0x0'],
  eth_getBlockByHash: [hash, false],
  eth_getBlockByNumber: ['latest', true],
  eth_getUncleByBlockNumberAndIndex: ['0x1', '0x0'],
  eth_getBlockReceipts: ['0x1'],
  eth_getTransactionReceipt: [hash],
  eth_estimateGas: [
    {
      from: address,
      to: address,
      gas: '0x5208',
      gasPrice: '0x1',
      maxPriorityFeePerGas: '0x1',
      maxFeePerGas: '0x1',
      value: '0x1',
      data: '0x1234',
      input: '0x1234',
      nonce: '0x1',
      type: '0x2',
      chainId: '0x7a69',
      accessList: [{ address, storageKeys: [hash] }],
      blobs: ['0x12'],
      commitments: ['0x12'],
      proofs: ['0x12'],
    },
    'latest',
    {
      [address]: {
        balance: '0x1',
        nonce: '0x1',
        code: '0x12',
        stateDiff: { [hash]: hash },
        movePrecompileToAddress: address,
      },
    },
  ],
  eth_getProof: [address, [hash], 'latest'],
};
