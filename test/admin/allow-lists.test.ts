import { describe, expect, it } from 'vitest';
import { checkAllowLists } from '../../src/admin/allow-lists.ts';

describe('an allow-list', () => {
  it('is rejected if it has an entry that no call can match', () => {
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
      [{ methods: ['eth_c'] }, 'unknown method "eth_c", expected one of eth_a, eth_b'],
      [{ networks: ['EVM'] }, 'invalid entry "EVM", expected a network name'],
      [
        { origins: ['https://a.example/'] },
        'invalid entry "https://a.example/", expected an origin',
      ],
      [{ origins: ['a.example'] }, 'invalid entry "a.example", expected an origin'],
      [{ contracts: ['0x12'] }, 'invalid entry "0x12", expected an address'],
    ] as const;
    for (const [allow, message] of wrong) {
      expect(() => checkAllowLists(allow, methods)).toThrow(message);
    }
  });
});
