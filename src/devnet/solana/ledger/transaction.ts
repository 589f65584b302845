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

interface Key {
  readonly address: string;
  signer: boolean;
  writable: boolean;
}

/** Orders the accounts of a message: signers first, writable before read-only, the payer first. */
function orderKeys(payer: string, instructions: readonly Instruction[]): readonly Key[] {
  const keys = new Map<string, Key>([[payer, { address: payer, signer: true, writable: true }]]);
  const add = ({ address, signer = false, writable = false }: AccountMeta): void => {
    const known = keys.get(address) ?? { address, signer: false, writable: false };
    known.signer ||= signer;
    known.writable ||= writable;
    keys.set(address, known);
  };
  for (const { program, accounts } of instructions) {
    for (const account of accounts) add(account);
    add({ address: program });
  }
  const rank = (key: Key): number => (key.signer ? 0 : 2) + (key.writable ? 0 : 1);
  return [...keys.values()].toSorted((a, b) => rank(a) - rank(b));
}

/** Checks a length that is written as a compact-u16 of one byte. */
function shortLength(length: number): number {
  if (length > 127)
    throw new RangeError(`a seeded message has ${length} items, expected at most 127`);
  return length;
}

function compileInstruction(keys: readonly Key[], instruction: Instruction): number[] {
  const indexOf = (address: string): number => keys.findIndex((key) => key.address === address);
  const { program, accounts, data } = instruction;
  return [
    indexOf(program),
    shortLength(accounts.length),
    ...accounts.map(({ address }) => indexOf(address)),
    shortLength(data.length),
    ...data,
  ];
}

/** Compiles a legacy message (Solana's docs, "Transactions": header, keys, blockhash, instructions). */
export function compileMessage(
  payer: string,
  blockhash: string,
  instructions: readonly Instruction[],
): Uint8Array {
  const keys = orderKeys(payer, instructions);
  const count = (test: (key: Key) => boolean): number => keys.filter(test).length;
  return Uint8Array.from([
    count((key) => key.signer),
    count((key) => key.signer && !key.writable),
    count((key) => !key.signer && !key.writable),
    shortLength(keys.length),
    ...keys.flatMap(({ address }) => [...decodeAddress(address)]),
    ...decodeAddress(blockhash),
    shortLength(instructions.length),
    ...instructions.flatMap((instruction) => compileInstruction(keys, instruction)),
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
