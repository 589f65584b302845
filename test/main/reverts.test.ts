/** What nodes answer for reverts without an ABI-encoded reason, byte for byte, through a running gateway. */
import { expect, it } from 'vitest';
import { bytes, startBench } from './node-bytes.ts';

const word = (digits: string): string => digits.padStart(64, '0');
/** "not enough tokens" as contracts revert with it that do not encode their reason. */
const text = '0x6e6f7420656e6f75676820746f6b656e73';

const answers: readonly (readonly [answer: string, message: string, data: string])[] = [
  // go-ethereum, internal/ethapi/errors.go, newRevertError: a reason only if abi.UnpackRevert finds one.
  [
    `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"${text}"}}`,
    'execution reverted',
    text,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0xdeadbeef01"}}',
    'execution reverted',
    '0xdeadbeef01',
  ],
  // anvil 1.7.1.
  [
    `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: not enough tokens","data":"${text}"}}`,
    'execution reverted: not enough tokens',
    text,
  ],
  [
    String.raw`{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: custom error 0xdeadbeef: \u0001","data":"0xdeadbeef01"}}`,
    'execution reverted: custom error 0xdeadbeef: \u0001',
    '0xdeadbeef01',
  ],
  // Besu, RpcErrorType.java, REVERT_ERROR: nothing is appended unless the data is Error(string).
  [
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Execution reverted","data":"${text}"}}`,
    'execution reverted',
    text,
  ],
  // Nethermind before it followed geth: the data is behind a word.
  [
    `{"jsonrpc":"2.0","error":{"code":-32015,"message":"VM execution error.","data":"Reverted ${text}"},"id":1}`,
    'execution reverted',
    text,
  ],
  // A custom error has a selector and whole words.
  [
    `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0xdeadbeef${word('1')}"}}`,
    'execution reverted: custom error 0xdeadbeef',
    `0xdeadbeef${word('1')}`,
  ],
  // An Error(string) that is cut off is neither a reason nor a custom error.
  [
    `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x08c379a0${word('20')}"}}`,
    'execution reverted',
    `0x08c379a0${word('20')}`,
  ],
];

it('revert data that is not ABI-encoded keeps the message of the node', async () => {
  const { nodes, ask } = await startBench(1);
  for (const [answer, message, data] of answers) {
    nodes[0]!.behave(bytes(answer));
    const { body, credits } = await ask('eth_estimateGas', [{ to: `0x${'11'.repeat(20)}` }]);
    expect([body.error, credits], answer).toEqual([{ code: 3, message, data }, '300']);
  }
});
