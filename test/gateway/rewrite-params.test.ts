import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MethodEntry } from '../../src/gateway/protocol.ts';
import { exceeds, rewriteParams, toQuantity } from '../../src/gateway/rewrite-params.ts';
import { protocol } from './support/protocol.ts';

const GAS_LIMIT = 30_000_000n;

function rewrite(method: string, text: string): string {
  const entry = protocol.methods[method] as MethodEntry;
  const params = JSON.parse(text) as unknown[];
  return rewriteParams(entry, { params, rawParams: Buffer.from(text) }, GAS_LIMIT).toString();
}

describe('params sent to a node', () => {
  it('keep their bytes without a rule in the document', () => {
    const text = '[ "0x1" ,\n true ]';
    expect(rewrite('eth_getBlock', text)).toBe(text);
  });

  it('have decimal block numbers converted to exact quantities, and aliases replaced', () => {
    const rewritten = (text: string): string => rewrite('eth_getReceipts', text);
    expect(rewritten('[16]')).toBe('["0x10"]');
    expect(rewritten('[ 0 ]')).toBe('[ "0x0" ]');
    expect(rewritten('["255"]')).toBe('["0xff"]');
    expect(rewritten('["18446744073709551615"]')).toBe('["0xffffffffffffffff"]');
    expect(rewritten('["pending"]')).toBe('["latest"]');
    expect(rewritten('["0x10"]')).toBe('["0x10"]');
    expect(rewritten('["finalized"]')).toBe('["finalized"]');
  });

  it('have short storage keys padded to 32 bytes, each element of an array', () => {
    const entry: MethodEntry = {
      ...(protocol.methods['eth_getProof'] as MethodEntry),
      normalize: [{ pointer: '/1/*', to: 'bytes32', aliases: {} }],
    };
    const key = '0'.repeat(63);
    const text = `["0x1", ["0x0" ,"0xAb", "0x${key}1"]]`;
    const params = JSON.parse(text) as unknown[];
    const sent = rewriteParams(entry, { params, rawParams: Buffer.from(text) }, null).toString();
    expect(sent).toBe(`["0x1", ["0x${key}0" ,"0x${key.slice(1)}Ab", "0x${key}1"]]`);
  });

  it('have missing optional params filled with their defaults, where the document has one', () => {
    expect(rewrite('eth_estimate', '[{"to":"0x1"}]')).toBe('[{"to":"0x1"}]');
    expect(rewrite('eth_estimate', '[ {} , "0x1" ]')).toBe('[ {} , "0x1" ]');
    expect(rewrite('eth_getProof', '["0x1" ]')).toBe('["0x1","latest" ]');
    expect(rewrite('eth_getProof', '[]')).toBe('[]');
  });

  it('have gas of any size capped at ten times the block gas limit', () => {
    const cap = '"0x11e1a300"';
    const gas = (value: string): string =>
      rewrite('eth_estimate', `[{"gas" : "${value}", "to":"0x1"},"latest"]`);
    const kept = (value: string): string => `[{"gas" : "${value}", "to":"0x1"},"latest"]`;
    expect(gas('0x11e1a301')).toBe(`[{"gas" : ${cap}, "to":"0x1"},"latest"]`);
    expect(gas('0xFFFFFFFFFFFFFFFFFFFF')).toBe(`[{"gas" : ${cap}, "to":"0x1"},"latest"]`);
    expect(gas(`0x${'f'.repeat(100_000)}`)).toBe(`[{"gas" : ${cap}, "to":"0x1"},"latest"]`);
    for (const value of ['0x11e1a300', '0x11E1A300', '0x5208', '0x0']) {
      expect(gas(value)).toBe(kept(value));
    }
    expect(rewrite('eth_estimate', '[{"to":"0x1"},"latest"]')).toBe('[{"to":"0x1"},"latest"]');
  });
});

describe('quantities', () => {
  it('compare as numbers', () => {
    const big = fc.bigInt({ min: 0n, max: 1n << 80n });
    fc.assert(
      fc.property(big, big, (left, right) => {
        const greater = exceeds(
          `0x${left.toString(16)}`,
          `0x00${right.toString(16).toUpperCase()}`,
        );
        expect(greater).toBe(left > right);
      }),
    );
  });

  it('are created from non-negative integers only', () => {
    expect([10, '10', 0].map(toQuantity)).toEqual(['0xa', '0xa', '0x0']);
    expect([-1, 1.5, '0xa', 'latest', null, '', '-1'].map(toQuantity)).toEqual(
      Array(7).fill(undefined),
    );
  });
});
