import { readFileSync } from 'node:fs';
import {
  concat,
  type Hex,
  keccak256,
  pad,
  parseEther,
  recoverTransactionAddress,
  serializeTransaction,
  toHex,
  toRlp,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { recordingFile, renderRecording } from '../../scripts/record-archive.ts';
import { createArchiveHandler } from '../../src/devnet/archive/index.ts';
import { archiveFacts } from './archive-facts.ts';
import type {
  HeaderRecord,
  ReceiptRecord,
  Recording,
  TransactionRecord,
} from '../../scripts/record-archive/records.ts';
import { recording as served } from '../../src/devnet/archive/recording.ts';
import { hashedRoot, listRoot, minimal } from './merkle.ts';

const recording = served as Recording;

interface Proof {
  readonly address: Hex;
  readonly nonce: string;
  readonly balance: string;
  readonly storageHash: Hex;
  readonly codeHash: Hex;
  readonly storageProof: readonly { readonly key: Hex; readonly value: Hex }[];
}

const { entries, pending } = recording;
const { guestbook, miners, people, slots, stranger } = archiveFacts;
const handle = createArchiveHandler();

function headerFields(header: HeaderRecord): Hex[] {
  return [
    header.parentHash,
    header.sha3Uncles,
    header.miner,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.logsBloom,
    minimal(header.difficulty),
    minimal(header.number!),
    minimal(header.gasLimit),
    minimal(header.gasUsed),
    minimal(header.timestamp),
    header.extraData,
    header.mixHash,
    header.nonce,
  ] as Hex[];
}

function signatureOf({ v, r, s }: TransactionRecord): { v: bigint; r: Hex; s: Hex } {
  return { v: BigInt(v), r: r as Hex, s: s as Hex };
}

function encodeTransaction(tx: TransactionRecord): Hex {
  const call = [minimal(tx.nonce), minimal(tx.gasPrice), minimal(tx.gas), tx.to ?? '0x'];
  const rest = [minimal(tx.value), tx.input, minimal(tx.v), minimal(tx.r), minimal(tx.s)];
  return toRlp([...call, ...rest] as Hex[]);
}

function encodeReceipt(receipt: ReceiptRecord): Hex {
  const logs = receipt.logs.map((log) => [log.address, log.topics, log.data]);
  const outcome = receipt.root ?? minimal(receipt.status!);
  return toRlp([
    outcome,
    minimal(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    logs,
  ] as unknown as Hex[]);
}

/** Sets the three bits of each address and topic (Yellow Paper, section 4.3.1). */
function bloomOf(receipts: readonly ReceiptRecord[]): Hex {
  let bloom = 0n;
  for (const { address, topics } of receipts.flatMap(({ logs }) => logs)) {
    for (const part of [address, ...topics] as Hex[]) {
      const hash = keccak256(part).slice(2);
      for (const at of [0, 4, 8])
        bloom |= 1n << BigInt(Number.parseInt(hash.slice(at, at + 4), 16) & 2047);
    }
  }
  return toHex(bloom, { size: 256 });
}

function encodeAccount(nonce: bigint | string, balance: bigint | string, proof?: Proof): Hex {
  const noStorage = keccak256(toRlp('0x'));
  const { storageHash = noStorage, codeHash = keccak256('0x') } = proof ?? {};
  return toRlp([minimal(nonce), minimal(balance), storageHash, codeHash]);
}

function prove(address: string, keys: readonly string[] = []): Proof {
  return handle('eth_getProof', [address, keys, 'latest']) as Proof;
}

describe('the recording', () => {
  it('is what the recorder writes, byte for byte', async () => {
    expect(await renderRecording()).toBe(readFileSync(recordingFile, 'utf8'));
  });

  it('is small', () => {
    expect(readFileSync(recordingFile).length).toBeLessThan(100_000);
  });
});

describe.each(entries.map((entry) => [entry.block.number, entry] as const))(
  'block %s',
  (_number, { block, uncles, receipts }) => {
    it('has the hash of its header', () => {
      expect(keccak256(toRlp(headerFields(block)))).toBe(block.hash);
    });

    it('names its parent, comes later, and adds its difficulty to the total', () => {
      const parent = entries[Number(block.number) - 1]?.block;
      expect(block.parentHash).toBe(parent?.hash ?? `0x${'0'.repeat(64)}`);
      expect(Number(block.timestamp)).toBeGreaterThan(Number(parent?.timestamp ?? 0));
      expect(BigInt(block.totalDifficulty)).toBe(
        BigInt(parent?.totalDifficulty ?? 0) + BigInt(block.difficulty),
      );
    });

    it('has the root of its transactions, whose hashes and senders follow from their signatures', async () => {
      const encoded = block.transactions.map(encodeTransaction);
      expect(listRoot(encoded)).toBe(block.transactionsRoot);
      expect(encoded.map((bytes) => keccak256(bytes))).toEqual(
        block.transactions.map(({ hash }) => hash),
      );
      for (const tx of block.transactions) {
        const signature = signatureOf(tx);
        const unsigned = {
          type: 'legacy' as const,
          nonce: Number(tx.nonce),
          gasPrice: BigInt(tx.gasPrice),
          gas: BigInt(tx.gas),
          value: BigInt(tx.value),
          data: tx.input as Hex,
          ...(tx.to === null ? {} : { to: tx.to as Hex }),
          ...(signature.v > 28n ? { chainId: recording.chainId } : {}),
        };
        const serializedTransaction = serializeTransaction(unsigned, signature);
        const sender = await recoverTransactionAddress({ serializedTransaction });
        expect(sender.toLowerCase()).toBe(tx.from);
      }
    });

    it('has the root of its receipts, their gas and their bloom', () => {
      expect(listRoot(receipts.map(encodeReceipt))).toBe(block.receiptsRoot);
      expect(receipts).toHaveLength(block.transactions.length);
      expect(receipts.at(-1)?.cumulativeGasUsed ?? '0x0').toBe(block.gasUsed);
      expect(bloomOf(receipts)).toBe(block.logsBloom);
      for (const receipt of receipts) expect(bloomOf([receipt])).toBe(receipt.logsBloom);
    });

    it('has the hash of its uncles, whose parents are among its ancestors', () => {
      expect(keccak256(toRlp(uncles.map(headerFields)))).toBe(block.sha3Uncles);
      expect(uncles.map((uncle) => keccak256(toRlp(headerFields(uncle))))).toEqual(block.uncles);
      expect(uncles.map(({ hash }) => hash)).toEqual(block.uncles);
      for (const uncle of uncles) {
        const sibling = entries[Number(uncle.number)]!.block;
        expect(uncle.parentHash).toBe(sibling.parentHash);
        expect(uncle.hash).not.toBe(sibling.hash);
      }
    });

    it('has the size of its RLP', () => {
      const transactions = block.transactions.map((tx) => [
        ...([tx.nonce, tx.gasPrice, tx.gas].map(minimal) as Hex[]),
        (tx.to ?? '0x') as Hex,
        minimal(tx.value),
        tx.input as Hex,
        ...([tx.v, tx.r, tx.s].map(minimal) as Hex[]),
      ]);
      const whole = [headerFields(block), transactions, uncles.map(headerFields)];
      expect((toRlp(whole as unknown as Hex[]).length - 2) / 2).toBe(Number(block.size));
      for (const uncle of uncles) {
        const alone = [headerFields(uncle), [], []];
        expect((toRlp(alone as unknown as Hex[]).length - 2) / 2).toBe(Number(uncle.size));
      }
    });

    it('has receipts with a root before Byzantium and with a status afterwards', () => {
      const byzantium = Number(block.number) >= Number(archiveFacts.forks.byzantium);
      for (const receipt of receipts) {
        expect('status' in receipt).toBe(byzantium);
        expect('root' in receipt).toBe(!byzantium);
      }
    });
  },
);

describe('the states', () => {
  const gasPrice = 20_000_000_000n;
  const rich = parseEther('1000');

  it('begin with the accounts of the genesis block', () => {
    const state = Object.values(people).map((address): [Hex, Hex] => [
      address,
      encodeAccount(0n, rich),
    ]);
    expect(hashedRoot(state)).toBe(entries[0]!.block.stateRoot);
  });

  it('follow, in block 1, from a transfer, its fee and a reward, as the root of its receipt confirms', () => {
    const fee = 21_000n * gasPrice;
    const ether = parseEther('1');
    const after = (reward: bigint): Hex =>
      hashedRoot([
        [people.ada, encodeAccount(1n, rich - ether - fee)],
        [people.ben, encodeAccount(0n, rich + ether)],
        [people.cleo, encodeAccount(0n, rich)],
        [miners.mia, encodeAccount(0n, fee + reward)],
      ]);
    const { block, receipts } = entries[1]!;
    expect(receipts[0]!.root).toBe(after(0n));
    expect(block.stateRoot).toBe(after(parseEther('5')));
  });

  it('end with exactly the accounts that are proven', () => {
    const addresses = [...Object.values(people), ...Object.values(miners), stranger, guestbook];
    const state = addresses.map((address): [Hex, Hex] => {
      const proof = prove(address);
      return [address, encodeAccount(proof.nonce, proof.balance, proof)];
    });
    expect(hashedRoot(state)).toBe(entries.at(-1)!.block.stateRoot);
  });

  it('pay the rewards for blocks and uncles of their fork', () => {
    const fees = entries.reduce((sum, { block }) => sum + BigInt(block.gasUsed), 0n) * gasPrice;
    // Seven blocks at 5 ether, three at 3; a 32nd of the reward for each uncle included (EIP-649).
    const blockRewards = parseEther('44') + (parseEther('5') / 32n) * 3n;
    expect(BigInt(prove(miners.mia).balance)).toBe(blockRewards + fees);
    // An uncle included at the height after its own earns seven eighths.
    const uncleReward = (parseEther('5') * 7n) / 8n;
    expect(BigInt(prove(miners.noa).balance)).toBe(uncleReward * 2n);
    expect(BigInt(prove(miners.oto).balance)).toBe(uncleReward);
  });

  it('have the storage of the guestbook under the root of its account', () => {
    const { storageProof, storageHash } = prove(guestbook, Object.values(slots));
    const storage = storageProof.map(({ key, value }): [Hex, Hex] => [key, toRlp(minimal(value))]);
    expect(hashedRoot(storage)).toBe(storageHash);
    expect(storageProof.map(({ value }) => value)).toEqual([
      people.ada,
      '0x6',
      '0x6',
      '0x5',
      '0x3',
    ]);
  });
});

describe('the facts', () => {
  it('name the slots of the guestbook', () => {
    const last = (address: Hex): Hex => keccak256(concat([pad(address), pad(toHex(2))]));
    expect(slots).toEqual({
      owner: pad('0x0'),
      entries: pad('0x1'),
      lastEntryOfAda: last(people.ada),
      lastEntryOfBen: last(people.ben),
      lastEntryOfCleo: last(people.cleo),
    });
  });

  it('describe the pending block', () => {
    expect(pending.block).toMatchObject({
      parentHash: archiveFacts.pending.parentHash,
      uncles: [archiveFacts.pending.uncle],
    });
    expect(pending.block.transactions.map(({ hash }) => hash)).toEqual(
      archiveFacts.pending.transactions,
    );
    expect(listRoot(pending.block.transactions.map(encodeTransaction))).toBe(
      pending.block.transactionsRoot,
    );
  });

  it('are frozen', () => {
    expect(Object.isFrozen(archiveFacts.blocks.latest)).toBe(true);
  });
});
