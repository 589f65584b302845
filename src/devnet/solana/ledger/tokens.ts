import {
  decodeAddress,
  type Keypair,
  namedKeypair,
  nativeMint,
  people,
  programs,
} from '../addresses.ts';
import { solanaFacts } from '../facts.ts';
import type { Svm } from './litesvm.ts';
import { type AccountMeta, type Instruction, runTransaction } from './transaction.ts';

const { mintSize, accountSize, multisigSize } = solanaFacts.tokenLayout;

/** Keypairs of mints and token accounts, which sign their own creation. */
export const tokenAccounts = Object.freeze({
  dollarMint: namedKeypair('dollar mint'),
  badgeMint: namedKeypair('badge mint'),
  aliceDollars: namedKeypair('alice dollars'),
  aliceSavings: namedKeypair('alice savings'),
  aliceBadge: namedKeypair('alice badge'),
  aliceWrapped: namedKeypair('alice wrapped'),
  bobFrozen: namedKeypair('bob frozen'),
  carolDelegated: namedKeypair('carol delegated'),
  daveEmpty: namedKeypair('dave empty'),
  daveLate: namedKeypair('dave late'),
  multisig: namedKeypair('multisig'),
  uninitialized: namedKeypair('uninitialized'),
});

const { issuer, alice, bob, carol, dave } = people;
const { dollarMint, badgeMint, aliceDollars, bobFrozen, carolDelegated } = tokenAccounts;

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** An optional key of an instruction: a presence byte, then the key. */
function optionalKey(key: Keypair | undefined): readonly number[] {
  return key === undefined ? [0] : [1, ...decodeAddress(key.address)];
}

const writable = ({ address }: Keypair): AccountMeta => ({ address, writable: true });
const signer = ({ address }: Keypair): AccountMeta => ({ address, signer: true });
const readOnly = ({ address }: Keypair): AccountMeta => ({ address });

/** An instruction of the token program: its tag, then its fields (spl-token, `instruction.rs`). */
function instruct(
  tag: number,
  accounts: readonly AccountMeta[],
  ...fields: readonly Iterable<number>[]
): Instruction {
  const data = Uint8Array.from([tag, ...fields.flatMap((field) => [...field])]);
  return { program: programs.token, accounts, data };
}

const transfer = (from: Keypair, to: Keypair, owner: Keypair, amount: bigint): Instruction =>
  instruct(3, [writable(from), writable(to), signer(owner)], u64(amount));
const approve = (of: Keypair, delegate: Keypair, owner: Keypair, amount: bigint): Instruction =>
  instruct(4, [writable(of), readOnly(delegate), signer(owner)], u64(amount));
/** Without `to` the authority is removed for good. */
const setAuthority = (type: number, of: Keypair, from: Keypair, to?: Keypair): Instruction =>
  instruct(6, [writable(of), signer(from)], [type], optionalKey(to));
const mintTo = (mint: Keypair, to: Keypair, amount: bigint): Instruction =>
  instruct(7, [writable(mint), writable(to), signer(issuer)], u64(amount));
const freeze = (account: Keypair, mint: Keypair): Instruction =>
  instruct(10, [writable(account), readOnly(mint), signer(issuer)]);
const initializeAccount = (account: Keypair, mint: string, owner: Keypair): Instruction =>
  instruct(18, [writable(account), { address: mint }], decodeAddress(owner.address));
/** Any `required` of the members can sign. */
const initializeMultisig = (of: Keypair, members: Keypair[], required: number): Instruction =>
  instruct(19, [writable(of), ...members.map(readOnly)], [required]);
const initializeMint = (mint: Keypair, decimals: number, freezer?: Keypair): Instruction =>
  instruct(20, [writable(mint)], [decimals], decodeAddress(issuer.address), optionalKey(freezer));

/** Types of SetAuthority. */
const authority = { mintTokens: 0, closeAccount: 3 };

/** The system program's CreateAccount, for an account of the token program. */
function createAccount(account: Keypair, space: number, lamports: bigint): Instruction {
  const fields = [Buffer.alloc(4), u64(lamports), u64(BigInt(space))];
  return {
    program: programs.system,
    accounts: [issuer, account].map(({ address }) => ({ address, signer: true, writable: true })),
    data: Buffer.concat([...fields, decodeAddress(programs.token)]),
  };
}

/** Creates a token program account and initializes it in the same transaction, as wallets do. */
function create(
  svm: Svm,
  account: Keypair,
  space: number,
  { initialize, lamports = 0n }: { initialize?: Instruction; lamports?: bigint },
): void {
  const rent = svm.minimumBalanceForRentExemption(BigInt(space));
  const creation = createAccount(account, space, rent + lamports);
  const instructions = initialize === undefined ? [creation] : [creation, initialize];
  runTransaction(svm, [issuer, account], instructions);
}

function openAccount(svm: Svm, account: Keypair, owner: Keypair, mint = dollarMint.address): void {
  const initialize = initializeAccount(account, mint, owner);
  const lamports = mint === nativeMint ? 1_500_000_000n : 0n;
  create(svm, account, accountSize, { initialize, lamports });
}

/** Creates the finalized token accounts through the token program. */
export function seedTokens(svm: Svm): void {
  create(svm, dollarMint, mintSize, { initialize: initializeMint(dollarMint, 6, issuer) });
  create(svm, badgeMint, mintSize, { initialize: initializeMint(badgeMint, 0) });
  const { aliceSavings, aliceBadge, aliceWrapped, daveEmpty } = tokenAccounts;
  openAccount(svm, aliceDollars, alice);
  openAccount(svm, aliceSavings, alice);
  openAccount(svm, bobFrozen, bob);
  openAccount(svm, carolDelegated, carol);
  openAccount(svm, daveEmpty, dave);
  openAccount(svm, aliceBadge, alice, badgeMint.address);
  openAccount(svm, aliceWrapped, alice, nativeMint);
  const { multisig, uninitialized } = tokenAccounts;
  const initialize = initializeMultisig(multisig, [alice, bob, carol], 2);
  create(svm, multisig, multisigSize, { initialize });
  create(svm, uninitialized, accountSize, {});
  const filling = [
    mintTo(dollarMint, aliceDollars, 1_234_567_890n),
    // Above 2^53, beyond the precision of doubles.
    mintTo(dollarMint, aliceSavings, 18_014_398_509_481_985n),
    mintTo(dollarMint, bobFrozen, 50_000_000n),
    mintTo(dollarMint, carolDelegated, 10_000_000n),
    mintTo(badgeMint, aliceBadge, 1n),
    setAuthority(authority.mintTokens, badgeMint, issuer),
    freeze(bobFrozen, dollarMint),
  ];
  runTransaction(svm, [issuer], filling);
  const grants = [
    approve(carolDelegated, bob, carol, 2_500_000n),
    setAuthority(authority.closeAccount, carolDelegated, carol, alice),
  ];
  runTransaction(svm, [issuer, carol], grants);
}

/** Confirmed but not finalized: Alice sends Dave one dollar. */
export function sendDollar(svm: Svm): void {
  const sending = transfer(aliceDollars, tokenAccounts.daveEmpty, alice, 1_000_000n);
  runTransaction(svm, [issuer, alice], [sending]);
}

/** Processed but not confirmed: Dave opens a second account. */
export function openLateAccount(svm: Svm): void {
  openAccount(svm, tokenAccounts.daveLate, dave);
}
