import { describe, expect, it } from 'vitest';
import { checkAllowLists } from '../../src/admin/allow-lists.ts';

describe('an allow-list', () => {
  it('is refused when a call could never match it', () => {
    const methods = ['eth_a', 'eth_b'];
    const address = `0x${'aB'.repeat(20)}`;
    const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
    const good = {
      methods: ['eth_b'],
      networks: ['evm-2'],
      origins: ['https://a.example', 'http://localhost:3000'],
      contracts: [address, program],
    };
    expect(checkAllowLists(good, methods)).toBe(good);
    const wrong = [
      [{ methods: ['eth_c'] }, 'there is no method eth_c; use some of eth_a, eth_b'],
      [{ networks: ['EVM'] }, '"EVM" is not the name of a network'],
      [{ origins: ['https://a.example/'] }, '"https://a.example/" is not the origin'],
      [{ origins: ['a.example'] }, '"a.example" is not the origin'],
      [{ contracts: ['0x12'] }, '"0x12" is not an address'],
    ] as const;
    for (const [allow, message] of wrong) {
      expect(() => checkAllowLists(allow, methods)).toThrow(message);
    }
  });
});
