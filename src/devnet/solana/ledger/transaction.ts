import { decodeAddress, encodeAddress, type Keypair } from '../addresses.ts';
import type { Svm } from './litesvm.ts';

/** An account an instruction touches, and how. */
export interface AccountMeta {
  readonly address: string;
  readonly signer?: boolean;
  readonly writable?: boolean;
}

/** One call of a program. */
export interface Instruction {
  readonly program: string;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** Orders the accounts of a message: signers first, writable before read-only, the payer first. */
function orderKeys(payer: string, instructions: readonly Instruction[]): Required<AccountMeta>[] {
  const touched: readonly AccountMeta[] = [
    { address: payer, signer: true, writable: true },
    ...instructions.flatMap(({ program, accounts }) => [...accounts, { address: program }]),
  ];
  const keys = [...Map.groupBy(touched, ({ address }) => address)].map(([address, uses]) => ({
    address,
    signer: uses.some(({ signer }) => signer),
    writable: uses.some(({ writable }) => writable),
  }));
  const rank = (key: AccountMeta): number => (key.signer ? 0 : 2) + (key.writable ? 0 : 1);
  return keys.toSorted((a, b) => rank(a) - rank(b));
}

/** Writes bytes after their length, a compact-u16 of one byte. */
function prefixed(items: readonly unknown[] | Uint8Array, bytes: Iterable<number>): number[] {
  if (items.length <= 127) return [items.length, ...bytes];
  throw new RangeError(`a seeded message has ${items.length} items, expected at most 127`);
}

/** Compiles a legacy message (Solana's docs, "Transactions": header, keys, blockhash, instructions). */
function compileMessage(
  payer: string,
  blockhash: string,
  instructions: readonly Instruction[],
): Uint8Array {
  const keys = orderKeys(payer, instructions);
  const count = (test: (key: AccountMeta) => unknown): number => keys.filter(test).length;
  const indexOf = (address: string): number => keys.findIndex((key) => key.address === address);
  const addresses = keys.flatMap(({ address }) => [...decodeAddress(address)]);
  const calls = instructions.flatMap(({ program, accounts, data }) => {
    const indexes = accounts.map(({ address }) => indexOf(address));
    return [indexOf(program), ...prefixed(accounts, indexes), ...prefixed(data, data)];
  });
  return Uint8Array.from([
    count((key) => key.signer),
    count((key) => key.signer && !key.writable),
    count((key) => !key.signer && !key.writable),
    ...prefixed(keys, addresses),
    ...decodeAddress(blockhash),
    ...prefixed(instructions, calls),
  ]);
}

/**
 * Signs and runs a transaction; the first signer pays.
 *
 * @throws Error if the ledger rejects it.
 */
export function runTransaction(
  svm: Svm,
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
): void {
  const messageBytes = compileMessage(signers[0].address, svm.latestBlockhash(), instructions);
  const byAddress = new Map(signers.map((signer) => [signer.address, signer]));
  const signatures: Record<string, Uint8Array> = {};
  for (let index = 0; index < messageBytes[0]!; index++) {
    const address = encodeAddress(messageBytes.subarray(4 + 32 * index, 36 + 32 * index));
    signatures[address] = byAddress.get(address)!.sign(messageBytes);
  }
  const outcome = svm.sendTransaction({ messageBytes, signatures });
  if ('err' in outcome) throw new Error(`the ledger rejected a seeded transaction: ${outcome}`);
}
