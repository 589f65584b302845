import { type Keypair, namedKeypair, nativeMint } from '../addresses.ts';
import {
  approve,
  createTokenProgramAccount,
  freezeAccount,
  initializeAccount,
  initializeMint,
  initializeMultisig,
  mintTo,
  setAuthority,
  transfer,
} from './instructions.ts';
import type { Svm } from './litesvm.ts';
import type { People } from './people.ts';
import { runTransaction, type Instruction } from './transaction.ts';

/** Account sizes of the token program (spl-token, `Pack::LEN`). */
const space = { mint: 82, account: 165, multisig: 355 };

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

const { dollarMint, badgeMint } = tokenAccounts;

/** Creates a token program account and initializes it in the same transaction, as wallets do. */
function create(
  svm: Svm,
  people: People,
  options: { account: Keypair; space: number; extraLamports?: bigint; initialize?: Instruction },
): void {
  const { account, space, extraLamports = 0n, initialize } = options;
  const creation = createTokenProgramAccount({
    payer: people.issuer.address,
    account: account.address,
    lamports: svm.minimumBalanceForRentExemption(BigInt(space)) + extraLamports,
    space,
  });
  const instructions = initialize === undefined ? [creation] : [creation, initialize];
  runTransaction(svm, [people.issuer, account], instructions);
}

function openAccount(
  svm: Svm,
  people: People,
  options: { account: Keypair; mint: string; owner: Keypair; extraLamports?: bigint },
): void {
  const { account, mint, owner, extraLamports = 0n } = options;
  const initialize = initializeAccount(account.address, mint, owner.address);
  create(svm, people, { account, space: space.account, extraLamports, initialize });
}

function createMints(svm: Svm, people: People): void {
  const authority = people.issuer.address;
  const dollars = initializeMint(dollarMint.address, {
    decimals: 6,
    authority,
    freezeAuthority: authority,
  });
  const badges = initializeMint(badgeMint.address, { decimals: 0, authority });
  create(svm, people, { account: dollarMint, space: space.mint, initialize: dollars });
  create(svm, people, { account: badgeMint, space: space.mint, initialize: badges });
}

function openAccounts(svm: Svm, people: People): void {
  const { alice, bob, carol, dave } = people;
  const accounts = tokenAccounts;
  const dollars = dollarMint.address;
  openAccount(svm, people, { account: accounts.aliceDollars, mint: dollars, owner: alice });
  openAccount(svm, people, { account: accounts.aliceSavings, mint: dollars, owner: alice });
  openAccount(svm, people, { account: accounts.bobFrozen, mint: dollars, owner: bob });
  openAccount(svm, people, { account: accounts.carolDelegated, mint: dollars, owner: carol });
  openAccount(svm, people, { account: accounts.daveEmpty, mint: dollars, owner: dave });
  openAccount(svm, people, { account: accounts.aliceBadge, mint: badgeMint.address, owner: alice });
  const wrapped = { account: accounts.aliceWrapped, mint: nativeMint, owner: alice };
  openAccount(svm, people, { ...wrapped, extraLamports: 1_500_000_000n });
  const members = [alice.address, bob.address, carol.address];
  create(svm, people, {
    account: accounts.multisig,
    space: space.multisig,
    initialize: initializeMultisig(accounts.multisig.address, 2, members),
  });
  create(svm, people, { account: accounts.uninitialized, space: space.account });
}

function fillAccounts(svm: Svm, people: People): void {
  const { issuer } = people;
  const dollars = { address: dollarMint.address, authority: issuer.address };
  const badge = { address: badgeMint.address, authority: issuer.address };
  runTransaction(
    svm,
    [issuer],
    [
      mintTo(tokenAccounts.aliceDollars.address, 1_234_567_890n, dollars),
      // Above 2^53, beyond the precision of doubles.
      mintTo(tokenAccounts.aliceSavings.address, 18_014_398_509_481_985n, dollars),
      mintTo(tokenAccounts.bobFrozen.address, 50_000_000n, dollars),
      mintTo(tokenAccounts.carolDelegated.address, 10_000_000n, dollars),
      mintTo(tokenAccounts.aliceBadge.address, 1n, badge),
      setAuthority('mintTokens', { account: badge.address, from: issuer.address }),
      freezeAccount(tokenAccounts.bobFrozen.address, dollars.address, issuer.address),
    ],
  );
}

function grantRights(svm: Svm, people: People): void {
  const { issuer, alice, bob, carol } = people;
  const account = tokenAccounts.carolDelegated.address;
  runTransaction(
    svm,
    [issuer, carol],
    [
      approve(2_500_000n, { account, delegate: bob.address, owner: carol.address }),
      setAuthority('closeAccount', { account, from: carol.address, to: alice.address }),
    ],
  );
}

/** Creates the finalized token accounts through the token program. */
export function seedTokens(svm: Svm, people: People): void {
  createMints(svm, people);
  openAccounts(svm, people);
  fillAccounts(svm, people);
  grantRights(svm, people);
}

/** Confirmed but not finalized: Alice sends Dave one dollar. */
export function sendDollar(svm: Svm, people: People): void {
  const { aliceDollars: from, daveEmpty: to } = tokenAccounts;
  const route = { from: from.address, to: to.address, owner: people.alice.address };
  runTransaction(svm, [people.issuer, people.alice], [transfer(1_000_000n, route)]);
}

/** Processed but not confirmed: Dave opens a second account. */
export function openLateAccount(svm: Svm, people: People): void {
  const account = tokenAccounts.daveLate;
  openAccount(svm, people, { account, mint: dollarMint.address, owner: people.dave });
}
