/** Verifies eth_getProof as EIP-1186 says: the hash of every node is in its parent. */
import { describe, expect, inject, test } from 'vitest';
import { fromRlp, hexToBytes, keccak256, toRlp, type Hex } from 'viem';
import { everyExample } from '../support/document.ts';
import { call, httpWire } from '../support/wire.ts';

type Rlp = Hex | readonly Rlp[];

interface Proof {
  readonly address: Hex;
  readonly accountProof: readonly Hex[];
  readonly balance: Hex;
  readonly nonce: Hex;
  readonly codeHash: Hex;
  readonly storageHash: Hex;
  readonly storageProof: readonly {
    readonly key: Hex;
    readonly value: Hex;
    readonly proof: readonly Hex[];
  }[];
}

function nibblesOf(hex: Hex): number[] {
  return [...hexToBytes(hex)].flatMap((byte) => [byte >> 4, byte & 15]);
}

/** Returns the value at `key` in the trie of `root`, or undefined where the proof shows its absence. */
function walk(root: Hex, key: Hex, proof: readonly Hex[]): Hex | undefined {
  let path = nibblesOf(keccak256(key));
  let expected: Rlp = root;
  for (const [depth, encoded] of proof.entries()) {
    const small = typeof expected !== 'string';
    if (small) expect(toRlp(expected as never), `node ${depth}`).toBe(encoded);
    else expect(keccak256(encoded), `node ${depth}`).toBe(expected);
    const node = fromRlp(encoded, 'hex') as readonly Rlp[];
    if (node.length === 17) {
      if (path.length === 0) return node[16] === '0x' ? undefined : (node[16] as Hex);
      expected = node[path[0]!]!;
      path = path.slice(1);
      if (expected === '0x') {
        expect(depth, 'an empty branch ends the proof').toBe(proof.length - 1);
        return undefined;
      }
    } else {
      const prefix = nibblesOf(node[0] as Hex);
      const isLeaf = (prefix[0]! & 2) !== 0;
      const rest = prefix.slice((prefix[0]! & 1) === 1 ? 1 : 2);
      if (rest.some((nibble, index) => nibble !== path[index])) return undefined;
      path = path.slice(rest.length);
      if (isLeaf) return path.length === 0 ? (node[1] as Hex) : undefined;
      expected = node[1]!;
    }
  }
  return undefined;
}

const EMPTY_ROOT = keccak256('0x80');

function trimmed(hex: Hex): Hex {
  return (hex === '0x0' ? '0x' : hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`) as Hex;
}

const hits = everyExample().filter(
  ({ method, example }) => method.name === 'eth_getProof' && example.result !== undefined,
);

describe('eth_getProof proves the account and its storage against the stateRoot of the block', () => {
  test.each(hits.map(({ example }) => ({ example, label: example.name })))(
    '$label',
    async ({ example }) => {
      const { networks } = inject('product');
      const wire = httpWire(
        networks[(example['x-network'] ?? 'evm') as keyof typeof networks].http,
      );
      const params = example.params.map(({ value }) => value);
      const proof = (await call(wire, 'eth_getProof', params)).result as Proof;
      const block = (await call(wire, 'eth_getBlockByNumber', [params[2] ?? 'latest', false]))
        .result as { stateRoot: Hex };

      const account = walk(block.stateRoot, proof.address, proof.accountProof);
      const claimed = toRlp([
        trimmed(proof.nonce),
        trimmed(proof.balance),
        proof.storageHash,
        proof.codeHash,
      ]);
      if (account === undefined) expect([proof.nonce, proof.balance]).toEqual(['0x0', '0x0']);
      else expect(account).toBe(claimed);

      expect(proof.storageProof).toHaveLength((params[1] as unknown[]).length);
      for (const entry of proof.storageProof) {
        const key = `0x${entry.key.slice(2).padStart(64, '0')}` as Hex;
        const stored =
          proof.storageHash === EMPTY_ROOT ? undefined : walk(proof.storageHash, key, entry.proof);
        const value = stored === undefined ? '0x' : (fromRlp(stored, 'hex') as Hex);
        expect(value).toBe(trimmed(entry.value));
      }
    },
  );

  test('a short storage key is padded to 32 bytes, and a longer one is refused', async () => {
    const { networks } = inject('product');
    const wire = httpWire(networks.evm.http);
    const [address] = hits[0]!.example.params.map(({ value }) => value);
    const entryAt = async (key: string): Promise<Proof['storageProof'][number] | undefined> => {
      const { result } = await call(wire, 'eth_getProof', [address, [key], 'latest']);
      return (result as Proof).storageProof[0];
    };
    // web3.py sends `0x0` for get_proof(address, [0]).
    for (const key of ['0x0', '0x00', '0x000', '0x2', '0x012'])
      expect(await entryAt(key), key).toEqual(await entryAt(`0x${key.slice(2).padStart(64, '0')}`));
    for (const key of [`0x${'0'.repeat(66)}`, '0x', '0']) {
      const { error } = await call(wire, 'eth_getProof', [address, [key], 'latest']);
      expect(error?.code, key).toBe(-32602);
      expect(error?.message).toContain('storageKeys');
    }
    const many = Array.from({ length: 1024 }, () => '0x0');
    const { result } = await call(wire, 'eth_getProof', [address, many]);
    expect((result as Proof).storageProof).toHaveLength(1024);
  });

  test('a proof whose value was changed does not hold', async () => {
    const { networks } = inject('product');
    const wire = httpWire(networks.evm.http);
    const [hit] = hits;
    const proof = (
      await call(
        wire,
        'eth_getProof',
        hit!.example.params.map(({ value }) => value),
      )
    ).result as Proof;
    const block = (await call(wire, 'eth_getBlockByNumber', ['latest', false])).result as {
      stateRoot: Hex;
    };
    const account = walk(block.stateRoot, proof.address, proof.accountProof);
    expect(account).not.toBe(
      toRlp([trimmed(proof.nonce), '0x01', proof.storageHash, proof.codeHash]),
    );
  });
});
