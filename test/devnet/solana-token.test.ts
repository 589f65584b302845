import { base58 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { solanaFacts as facts } from './solana-facts.ts';
import { formatAmount, parseToken } from '../../src/devnet/solana/token/parsed.ts';

const { token, token2022 } = facts.programs;
const unknown = (): undefined => undefined;

function layAccount(amount: bigint): Buffer {
  const data = Buffer.alloc(165);
  data.set(base58.decode(facts.mints.dollar));
  data.set(base58.decode(facts.people.alice), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return data;
}

function layMint(decimals: number): Buffer {
  const data = Buffer.alloc(82);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

test.each([
  [0n, 0, '0'],
  [10n, 0, '10'],
  [0n, 6, '0'],
  [1n, 9, '0.000000001'],
  [1_000_000_000n, 9, '1'],
  [1_234_567_890n, 3, '1234567.89'],
  [18_446_744_073_709_551_615n, 6, '18446744073709.551615'],
  [1_234_567_890n, 25, '0.000000000000000123456789'],
])('writes the amount %s with %s decimals as %s', (amount, decimals, text) => {
  expect(formatAmount(amount, decimals)).toBe(text);
});

describe('a token account', () => {
  test('takes its decimals from its mint', () => {
    const parsed = parseToken(token, layAccount(150n), () => layMint(2));
    expect(parsed).toMatchObject({
      parsed: { info: { tokenAmount: { decimals: 2, uiAmount: 1.5, uiAmountString: '1.5' } } },
    });
  });

  test('has a null uiAmount if ten to the power of its decimals exceeds 64 bits', () => {
    const read = (decimals: number) =>
      parseToken(token, layAccount(1n), () => layMint(decimals))?.parsed.info;
    expect(read(19)).toMatchObject({ tokenAmount: { uiAmount: 1e-19 } });
    expect(read(20)).toMatchObject({ tokenAmount: { uiAmount: null } });
  });

  test('is not parsed if its mint is unknown or not a mint', () => {
    expect(parseToken(token, layAccount(1n), unknown)).toBeUndefined();
    expect(parseToken(token, layAccount(1n), () => Buffer.alloc(82))).toBeUndefined();
  });
});

test.each([0, 81, 82, 83, 165, 166, 355])('%s bytes of zeros are not parsed', (size) => {
  expect(parseToken(token, Buffer.alloc(size), unknown)).toBeUndefined();
});

test('the name of the program depends on the owner of the account', () => {
  expect(parseToken(token, layMint(0), unknown)?.program).toBe('spl-token');
  expect(parseToken(token2022, layMint(0), unknown)?.program).toBe('spl-token-2022');
});
