import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeErrorResult } from 'viem';
import type { NodeError } from '../../src/errors/node-error.ts';
import { decodeRevert, readRevert } from '../../src/gateway/revert.ts';

const errorString = (reason: string): `0x${string}` =>
  encodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
    args: [reason],
  });
const panic = (code: bigint): `0x${string}` =>
  encodeErrorResult({
    abi: [{ type: 'error', name: 'Panic', inputs: [{ type: 'uint256' }] }],
    args: [code],
  });
const boom = errorString('boom reason');
const divided = panic(0x12n);
/** Hexadecimal zeros behind the text of `boom`, which may be missing. */
const PADDING = 2 * (32 - Buffer.byteLength('boom reason'));
const byZero = 'panic: division or modulo by zero (0x12)';

const dialects: [node: string, error: NodeError, detail: string, data: string][] = [
  [
    'geth',
    { code: 3, message: 'execution reverted: boom reason', data: boom },
    'boom reason',
    boom,
  ],
  [
    'geth, custom error',
    { code: 3, message: 'execution reverted', data: '0xdeadbeef' },
    'custom error 0xdeadbeef',
    '0xdeadbeef',
  ],
  ['geth, bare', { code: 3, message: 'execution reverted', data: '0x' }, '', '0x'],
  [
    'geth, panic',
    { code: 3, message: 'execution reverted: division or modulo by zero', data: divided },
    byZero,
    divided,
  ],
  [
    'anvil, panic',
    { code: 3, message: `execution reverted: ${byZero}`, data: divided },
    byZero,
    divided,
  ],
  [
    'anvil, custom error',
    {
      code: 3,
      message: 'execution reverted: custom error 0xdeadbeef: \u0001',
      data: `0xdeadbeef${'1'.padStart(64, '0')}`,
    },
    'custom error 0xdeadbeef',
    `0xdeadbeef${'1'.padStart(64, '0')}`,
  ],
  [
    'geth, not ABI-encoded',
    { code: 3, message: 'execution reverted', data: '0xdeadbeef01' },
    '',
    '0xdeadbeef01',
  ],
  [
    'Besu, not ABI-encoded',
    { code: -32000, message: 'Execution reverted', data: '0x6e6f' },
    '',
    '0x6e6f',
  ],
  [
    'Nethermind, not ABI-encoded',
    { code: -32015, message: 'VM execution error.', data: 'Reverted 0x6e6f' },
    '',
    '0x6e6f',
  ],
  ['Erigon, no data', { code: -32000, message: 'execution reverted' }, '', '0x'],
  [
    'a node with the reason only',
    { code: -32000, message: 'execution reverted: boom: loud' },
    'boom: loud',
    '0x',
  ],
  ['Besu', { code: -32000, message: 'Execution reverted', data: boom }, 'boom reason', boom],
  [
    'Nethermind',
    { code: -32015, message: 'VM execution error.', data: `Reverted ${boom}` },
    'boom reason',
    boom,
  ],
  ['Nethermind, the word alone', { code: -32015, message: 'revert' }, '', '0x'],
  [
    'Nethermind, newer',
    { code: -32000, message: 'execution reverted', data: '0xdeadbeef' },
    'custom error 0xdeadbeef',
    '0xdeadbeef',
  ],
  ['Nethermind, data in the message', { code: -32015, message: 'Reverted 0x' }, '', '0x'],
  [
    'reth',
    { code: 3, message: 'execution reverted: boom reason', data: boom },
    'boom reason',
    boom,
  ],
  [
    'OpenEthereum, bare',
    { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' },
    '',
    '0x',
  ],
  [
    'Hardhat',
    {
      code: -32603,
      message:
        "Error: VM Exception while processing transaction: reverted with reason string 'boom reason'",
      data: { message: 'boom reason', data: boom, txHash: '0x11' },
    },
    'boom reason',
    boom,
  ],
  [
    'Hardhat, data nested deeper',
    { code: -32603, message: 'reverted', data: { originalError: { data: { data: boom } } } },
    'boom reason',
    boom,
  ],
  [
    'Hardhat, custom error',
    {
      code: -32603,
      message:
        "Error: VM Exception while processing transaction: reverted with custom error 'Unauthorized()'",
    },
    "custom error 'Unauthorized()'",
    '0x',
  ],
  [
    'Hardhat, no reason',
    { code: -32603, message: 'Error: Transaction reverted without a reason string' },
    '',
    '0x',
  ],
  [
    'Hardhat, no such function',
    {
      code: -32603,
      message:
        "Error: Transaction reverted: function selector was not recognized and there's no fallback function",
    },
    "function selector was not recognized and there's no fallback function",
    '0x',
  ],
  [
    'Hardhat, not inferred',
    {
      code: -32603,
      message: "Error: Transaction reverted and Hardhat couldn't infer the reason.",
    },
    '',
    '0x',
  ],
  [
    'Hardhat, no data',
    {
      code: -32603,
      message: "VM Exception while processing transaction: reverted with reason string 'it''s off'",
    },
    "it''s off",
    '0x',
  ],
  [
    'Ganache',
    {
      code: -32000,
      message: 'VM Exception while processing transaction: revert boom reason',
      data: { hash: '0x1', result: boom },
    },
    'boom reason',
    boom,
  ],
];

describe('a revert', () => {
  it.each(dialects)('of %s yields its reason and raw data', (...[, error, detail, data]) => {
    expect(readRevert(error)).toEqual({ detail, data });
  });

  it('is not recognized in other errors', () => {
    for (const message of [
      'insufficient funds for gas * price + value',
      'gas required exceeds allowance (0)',
      'irreverted',
      'the block was reverted by a reorganisation of the chain',
      'cannot estimate: state reverted to block 17',
      'reverted: the database was rolled back',
      'Transaction reverted to the pool, try again',
      'method handler crashed while execution reverted',
      'header not found (reverted)',
    ]) {
      expect(readRevert({ code: -32000, message, data: '0x' })).toBeUndefined();
      expect(readRevert({ code: -32603, message })).toBeUndefined();
    }
    expect(readRevert({ code: 3, message: 'out of gas' })).toBeUndefined();
    expect(readRevert({ code: -32015, message: 'VM execution error.' })).toBeUndefined();
  });
});

describe('revert data', () => {
  it('decodes any encoded reason', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (reason) => {
        expect(decodeRevert(errorString(reason))).toBe(reason);
      }),
    );
  });

  it('names every kind of panic, and the code of an unknown one', () => {
    expect(decodeRevert(panic(1n))).toBe('panic: assertion failed (0x01)');
    expect(decodeRevert(panic(0x11n))).toBe('panic: arithmetic underflow or overflow (0x11)');
    expect(decodeRevert(panic(0xabn))).toBe('panic: unknown code (0xab)');
    expect(decodeRevert(panic(2n ** 255n))).toMatch(/^panic: unknown code \(0x80{63}\)$/);
  });

  it('of another error yields its selector if it consists of whole words', () => {
    const words = (count: number) => `0xdeadbeef${'00'.repeat(32 * count)}`;
    for (const count of [0, 1, 7]) {
      expect(decodeRevert(words(count))).toBe('custom error 0xdeadbeef');
      expect(decodeRevert(`${words(count)}00`)).toBeUndefined();
      expect(decodeRevert(words(count).slice(0, -2))).toBeUndefined();
    }
    expect(decodeRevert('0x')).toBeUndefined();
  });

  it('that is truncated or out of bounds yields no reason, and never throws', () => {
    for (let length = 10; length < boom.length - PADDING; length += 2) {
      expect(decodeRevert(boom.slice(0, length))).toBe('');
    }
    for (let length = 10; length < divided.length; length += 2) {
      expect(decodeRevert(divided.slice(0, length))).toBe('');
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const tail = Buffer.from(bytes).toString('hex');
        expect(decodeRevert(`0x08c379a0${tail}`)).toBeTypeOf('string');
        expect(decodeRevert(`0x4e487b71${tail}`)).toBeTypeOf('string');
      }),
    );
  });
});
