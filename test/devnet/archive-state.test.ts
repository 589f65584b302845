import { type Hex, keccak256 } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveFacts } from './archive-facts.ts';
import { startArchiveNode } from '../../src/devnet/archive/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { ask, get } from './node-call.ts';

const { blocks, estimates, guestbook, people, slots, unknown } = archiveFacts;

let node: DevnetNode;

beforeAll(async () => {
  node = await startArchiveNode();
});

afterAll(() => node.stop());

async function stateRootOf(block: string): Promise<Hex> {
  const { stateRoot } = await get<{ stateRoot: Hex }>(node, 'eth_getBlockByNumber', block, false);
  return stateRoot;
}

describe('proofs', () => {
  it.each(['0x8', '0x9', 'latest', 'pending'])('start from the state root of %s', async (tag) => {
    const stateRoot = await stateRootOf(tag);
    for (const address of [...Object.values(people), guestbook, unknown.address]) {
      const { accountProof } = await get<{ accountProof: Hex[] }>(
        node,
        'eth_getProof',
        address,
        [],
        tag,
      );
      expect(keccak256(accountProof[0]!)).toBe(stateRoot);
      for (const [index, inner] of accountProof.slice(1).entries()) {
        expect(accountProof[index]).toContain(keccak256(inner).slice(2));
      }
    }
  });

  it('of storage start from the storage root of the account', async () => {
    const { storageHash, storageProof } = await get<{
      storageHash: Hex;
      storageProof: { key: string; proof: Hex[] }[];
    }>(node, 'eth_getProof', guestbook, Object.values(slots), 'latest');
    expect(storageProof.map(({ key }) => key)).toEqual(Object.values(slots));
    for (const { proof } of storageProof) expect(keccak256(proof[0]!)).toBe(storageHash);
  });

  it('depend on the block', async () => {
    const entriesAt = async (tag: string): Promise<unknown> =>
      get(node, 'eth_getProof', guestbook, [slots.entries], tag);
    expect(await entriesAt('0x9')).toMatchObject({ storageProof: [{ value: '0x5' }] });
    expect(await entriesAt('latest')).toMatchObject({ storageProof: [{ value: '0x6' }] });
    expect(await entriesAt('pending')).toMatchObject({ storageProof: [{ value: '0x7' }] });
  });

  it('of an account that does not exist are zeros, as from geth', async () => {
    const zero = `0x${'0'.repeat(64)}`;
    const key = slots.owner;
    expect(await get(node, 'eth_getProof', unknown.address, [key], 'latest')).toMatchObject({
      address: unknown.address,
      balance: '0x0',
      nonce: '0x0',
      codeHash: zero,
      storageHash: zero,
      storageProof: [{ key, value: '0x0', proof: [] }],
    });
  });

  it('show a key of less than 32 bytes as a quantity', async () => {
    expect(await get(node, 'eth_getProof', guestbook, ['0x01'], 'latest')).toMatchObject({
      storageProof: [{ key: '0x1', value: '0x6' }],
    });
  });

  it('of a state that is no longer kept fail as from geth', async () => {
    const stateRoot = await stateRootOf(blocks.firstTransfer.number);
    const message = `missing trie node ${stateRoot.slice(2)} (path ) state ${stateRoot} is not available`;
    expect(await ask(node, 'eth_getProof', people.ada, [], blocks.firstTransfer.number)).toEqual({
      error: { code: -32000, message },
    });
  });

  it('are kept from the stated block onward', async () => {
    for (let height = 0; height <= Number(blocks.latest.number); height += 1) {
      const number = `0x${height.toString(16)}`;
      const { error } = await ask(node, 'eth_getProof', people.ada, [], number);
      expect(error === undefined).toBe(height >= Number(archiveFacts.oldestState));
    }
  });

  it('of a block that does not exist fail', async () => {
    expect(await ask(node, 'eth_getProof', people.ada, [], unknown.number)).toEqual({
      error: { code: -32000, message: 'header not found' },
    });
  });
});

describe('gas estimates', () => {
  it.each(Object.entries(estimates))('%s', async (_name, { call, gas }) => {
    expect(await get(node, 'eth_estimateGas', call)).toBe(gas);
    expect(await get(node, 'eth_estimateGas', call, 'pending')).toBe(gas);
  });

  const { ada: from, ben: to } = people;
  const noMachine =
    'this node serves a recorded chain and executes no code: it estimates transfers to accounts without code only';

  it.each([
    ['a call of a contract', { from, to: guestbook, data: '0x0fc99376' }, noMachine],
    ['a creation', { from, data: '0x00' }, noMachine],
    ['a precompiled contract', { from, to: `0x${'4'.padStart(40, '0')}` }, noMachine],
    ['more than the sender has', { to, value: '0x1' }, 'insufficient funds for transfer'],
    ['too little gas', { from, to, gas: '0x5207' }, 'gas required exceeds allowance (20999)'],
  ])('%s is refused', async (_name, call, message) => {
    expect(await ask(node, 'eth_estimateGas', call)).toEqual({ error: { code: -32000, message } });
  });

  it('on a state that is not kept fail', async () => {
    const { error } = await ask(node, 'eth_estimateGas', { from, to }, '0x1');
    expect(error?.message).toMatch(/^missing trie node /);
  });
});

describe('invalid params are refused with -32602', () => {
  const tooMany = Array.from({ length: 1025 }, () => slots.owner);

  it.each<[string, unknown[], string]>([
    ['eth_getBlockByNumber', [], 'missing value for required argument 0'],
    ['eth_getBlockByNumber', ['latest', null], 'missing value for required argument 1'],
    ['eth_getBlockByNumber', ['latest', true, 1], 'too many arguments, want at most 2'],
    ['eth_getBlockByNumber', [5, true], 'invalid argument 0: expected a string'],
    ['eth_getBlockByNumber', ['5', true], 'invalid argument 0: hex string without 0x prefix'],
    ['eth_getBlockByNumber', ['0x', true], 'invalid argument 0: empty hex string'],
    [
      'eth_getBlockByNumber',
      ['0x05', true],
      'invalid argument 0: hex number with leading zero digits',
    ],
    ['eth_getBlockByNumber', ['0xg', true], 'invalid argument 0: invalid hex string'],
    [
      'eth_getBlockByNumber',
      ['0x8000000000000000', true],
      'invalid argument 0: block number larger than int64',
    ],
    ['eth_getBlockByNumber', ['latest', 'true'], 'invalid argument 1: expected a boolean'],
    [
      'eth_getBlockByHash',
      ['0x12', true],
      'invalid argument 0: hex string has length 2, want 64 for a hash',
    ],
    ['eth_getProof', [people.ada, [], undefined], 'missing value for required argument 2'],
    ['eth_getProof', [people.ada, 'x', 'latest'], 'invalid argument 1: expected an array'],
    [
      'eth_getProof',
      [people.ada, tooMany, 'latest'],
      'invalid argument 1: too many slots (max 1024)',
    ],
    [
      'eth_getProof',
      [people.ada, [`${slots.owner}00`], 'latest'],
      'invalid argument 1: unable to decode storage key: hex string too long',
    ],
    ['eth_estimateGas', ['0x'], 'invalid argument 0: expected an object'],
    [
      'eth_estimateGas',
      [{ to: '0x12' }],
      'invalid argument 0: to: hex string has length 2, want 40 for an address',
    ],
    [
      'eth_estimateGas',
      [{ to: people.ben, data: '0x1' }],
      'invalid argument 0: data: hex string of odd length',
    ],
    [
      'eth_estimateGas',
      [{ to: people.ben, value: `0x1${'0'.repeat(64)}` }],
      'invalid argument 0: value: hex number > 256 bits',
    ],
  ])('%s %j', async (method, params, message) => {
    expect(await ask(node, method, ...params)).toEqual({ error: { code: -32602, message } });
  });
});
