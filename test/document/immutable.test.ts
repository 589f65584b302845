import { expect, test } from 'vitest';
import { valueAt } from '../../common/json/pointer.ts';
import { methods } from '../../generated/methods.ts';
import { document } from '../support/document.ts';

const entries = Object.values(methods);

test('what a finalized block contains is immutable; estimates and program accounts are not', () => {
  const places = entries.map(({ name, immutable }) => [name, immutable?.block ?? null]);
  expect(Object.fromEntries(places)).toEqual({
    getProgramAccounts: null,
    eth_getTransactionByHash: { in: 'result', pointer: '/blockNumber' },
    eth_getTransactionByBlockHashAndIndex: { in: 'result', pointer: '/blockNumber' },
    eth_getTransactionByBlockNumberAndIndex: { in: 'params', pointer: '/0' },
    eth_getBlockByHash: { in: 'result', pointer: '/number' },
    eth_getBlockByNumber: { in: 'params', pointer: '/0' },
    eth_getUncleByBlockNumberAndIndex: { in: 'params', pointer: '/0' },
    eth_getBlockReceipts: { in: 'params', pointer: '/0' },
    eth_getTransactionReceipt: { in: 'result', pointer: '/blockNumber' },
    // Another version of the node may estimate differently.
    eth_estimateGas: null,
    eth_getProof: { in: 'params', pointer: '/2' },
  });
});

test('the number of the block is where the document says, in every example', () => {
  const wrong = document.methods.flatMap(({ name, examples }) => {
    const block = entries.find((entry) => entry.name === name)?.immutable?.block ?? null;
    return examples.flatMap(({ name: example, params, result }) => {
      if (block === null || (result?.value ?? null) === null) return [];
      const from = block.in === 'result' ? result!.value : params.map(({ value }) => value);
      // Only a parameter may be left out.
      const found = valueAt(from, block.pointer);
      const number = found === undefined && block.in === 'params' ? null : found;
      const isNumber = /^(?:0x[\da-f]+|\d+|latest|earliest|pending|safe|finalized|null)$/;
      return isNumber.test(String(number)) ? [] : [`${name} "${example}": ${String(number)}`];
    });
  });
  expect(wrong).toEqual([]);
});
