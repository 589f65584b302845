import * as fc from 'fast-check';
import { type Hex, keccak256, toRlp } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeRlp, type RlpItem, toBytes, toHex } from '../../src/devnet/archive/rlp.ts';
import { emptyRoot, indexNodes, proveKey } from '../../src/devnet/archive/trie.ts';
import { buildTrie } from './merkle.ts';

const hex = (bounds: { minLength?: number; maxLength?: number }): fc.Arbitrary<Hex> =>
  fc.uint8Array(bounds).map((bytes) => toHex(bytes) as Hex);

type Nested = Hex | readonly Nested[];

function show(item: RlpItem): Nested {
  return item instanceof Uint8Array ? (toHex(item) as Hex) : item.map(show);
}

describe('decodeRlp', () => {
  it('decodes what a different encoder wrote', () => {
    const { tree } = fc.letrec<{ tree: Nested }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        hex({ maxLength: 300 }),
        fc.array(tie('tree'), { maxLength: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (item) => {
        expect(show(decodeRlp(toBytes(toRlp(item as Hex[]))))).toEqual(item);
      }),
    );
  });

  it.each([
    ['ends too early', '0x83aabb'],
    ['ends in its length', '0xb9'],
    ['holds an item longer than its list', '0xc283aa'],
    ['goes on after its item', '0x8080'],
    ['is empty', '0x'],
  ])('refuses RLP that %s', (_what, encoded) => {
    expect(() => decodeRlp(toBytes(encoded))).toThrow(RangeError);
  });
});

describe('proveKey', () => {
  const entries = fc.uniqueArray(
    fc.record({
      key: hex({ minLength: 1, maxLength: 20 }),
      value: hex({ minLength: 1, maxLength: 60 }),
    }),
    { selector: ({ key }) => key, minLength: 1, maxLength: 60 },
  );

  it('finds every value of a trie, proven from the root', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const { root, nodes } = buildTrie(list.map(({ key, value }) => [keccak256(key), value]));
        const store = indexNodes([...nodes.values()]);
        for (const { key, value } of list) {
          const proof = proveKey(store, root, key);
          expect(toHex(proof.value!)).toBe(value);
          expect(keccak256(proof.nodes[0] as Hex)).toBe(root);
        }
      }),
    );
  });

  it('finds nothing under a key that the trie does not have', () => {
    fc.assert(
      fc.property(entries, hex({ minLength: 21, maxLength: 21 }), (list, absent) => {
        const { root, nodes } = buildTrie(list.map(({ key, value }) => [keccak256(key), value]));
        const proof = proveKey(indexNodes([...nodes.values()]), root, absent);
        expect(proof.value).toBeNull();
        expect(proof.nodes.length).toBeGreaterThan(0);
      }),
    );
  });

  it('proves with no nodes that the trie is empty', () => {
    expect(emptyRoot).toBe(keccak256('0x80'));
    expect(proveKey(new Map(), emptyRoot, '0x01')).toEqual({ value: null, nodes: [] });
  });

  it('names the node that is missing', () => {
    const root = `0x${'22'.repeat(32)}`;
    expect(() => proveKey(new Map(), root, '0x01')).toThrow(root);
  });
});
