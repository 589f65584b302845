/** The interface description of `eth_estimateGas`, sentence by sentence, through the gateway. */
import { createPublicClient, http } from 'viem';
import { describe, expect, inject, test } from 'vitest';
import { evmFacts } from '../devnet/evm-facts.ts';
import { answerOf, failure, result } from './evm-calls.ts';

const { estimates, failingCalls, unknown } = evmFacts;

describe('eth_estimateGas', () => {
  test('an estimate is a quantity and does not change the chain', async () => {
    const before = await result('eth_getBlockByNumber', ['latest', false]);
    for (const { call: object, gas } of Object.values(estimates))
      expect(await result('eth_estimateGas', [object])).toBe(gas);
    expect(await result('eth_getBlockByNumber', ['latest', false])).toEqual(before);
  });

  test('a state override is applied, as viem sends it', async () => {
    const client = createPublicClient({ transport: http(inject('product').networks.evm.http) });
    const { from, to } = estimates.transfer.call as Record<'from' | 'to', `0x${string}`>;
    const estimate = (code?: `0x${string}`): Promise<bigint> =>
      client.estimateGas({
        account: from,
        to,
        value: 1n,
        prepare: false,
        stateOverride: [{ address: to, ...(code && { code }) }],
      } as never);
    expect(await estimate()).toBe(BigInt(estimates.transfer.gas));
    // PUSH1 0 PUSH1 0 REVERT
    await expect(estimate('0x60006000fd')).rejects.toThrow(/revert/i);
  });

  test('commitments and proofs are accepted beside blobs', async () => {
    const bytes = (length: number): string => `0x${'00'.repeat(length)}`;
    const object = {
      ...estimates.transfer.call,
      blobs: [bytes(32)],
      commitments: [bytes(48)],
      proofs: [bytes(48)],
    };
    const { error } = await answerOf('eth_estimateGas', [object]);
    expect(error?.code).not.toBe(-32602);
  });

  test('the block of an estimate and of a proof defaults to latest', async () => {
    const object = estimates.storageWrite.call;
    expect(await result('eth_estimateGas', [object])).toBe(
      await result('eth_estimateGas', [object, 'latest']),
    );
    const proof = [evmFacts.contracts.token, []];
    expect(await result('eth_getProof', proof)).toEqual(
      await result('eth_getProof', [...proof, 'latest']),
    );
    // The gateway forwards a block that the caller gives.
    const unknownBlock = [estimates.storageWrite.call, unknown.number];
    expect((await failure('eth_estimateGas', unknownBlock)).message).toMatch(/block/i);
  });

  test('gas far above the cap is lowered, not rejected', async () => {
    const { gasLimit } = await result('eth_getBlockByNumber', ['latest', false]);
    const cap = BigInt(gasLimit as string) * 10n;
    for (const gas of [cap, cap + 1n, 2n ** 64n, 2n ** 300n]) {
      const object = { ...estimates.transfer.call, gas: `0x${gas.toString(16)}` };
      expect(await result('eth_estimateGas', [object]), object.gas).toBe(estimates.transfer.gas);
    }
  });

  test('an estimate without gas is bounded by the gas limit of the block', async () => {
    const { gasLimit } = await result('eth_getBlockByNumber', ['pending', false]);
    const error = await failure('eth_estimateGas', [failingCalls.outOfGas.call]);
    expect(error.message).toContain(String(Number(gasLimit)));
  });

  test('a revert is error 3 with the decoded reason and the raw data', async () => {
    const wanted = {
      reason: /^execution reverted: boom reason$/,
      panic: /^execution reverted: .*division or modulo by zero.*0x12/,
      bare: /^execution reverted$/,
      customError: /^execution reverted: custom error 0xf984d914$/,
    };
    for (const [name, message] of Object.entries(wanted)) {
      const { call: object, error } = failingCalls[name as keyof typeof wanted];
      const got = await failure('eth_estimateGas', [object]);
      expect(got.code, name).toBe(3);
      expect(got.message, name).toMatch(message);
      expect(got.data, name).toBe(error.data);
    }
  });

  test('a failure without REVERT is not error 3', async () => {
    expect((await failure('eth_estimateGas', [failingCalls.outOfGas.call])).code).not.toBe(3);
    expect((await failure('eth_estimateGas', [failingCalls.invalidOpcode.call])).code).not.toBe(3);
  });
});
