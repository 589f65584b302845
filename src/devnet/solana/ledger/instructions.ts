import { decodeAddress, programs } from '../addresses.ts';
import type { AccountMeta, Instruction } from './transaction.ts';

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** An optional key as the token program's instructions carry it: a presence byte, then the key. */
function optionalKey(address: string | undefined): Uint8Array {
  return address === undefined ? Uint8Array.of(0) : Uint8Array.of(1, ...decodeAddress(address));
}

const writable = (address: string): AccountMeta => ({ address, writable: true });
const signer = (address: string): AccountMeta => ({ address, signer: true });

function tokenCall(
  tag: number,
  accounts: readonly AccountMeta[],
  ...fields: readonly Uint8Array[]
): Instruction {
  return {
    program: programs.token,
    accounts,
    data: Buffer.concat([Uint8Array.of(tag), ...fields]),
  };
}

/** System program, instruction 0: an account of `space` bytes owned by the token program. */
export function createTokenProgramAccount(options: {
  payer: string;
  account: string;
  lamports: bigint;
  space: number;
}): Instruction {
  const { payer, account, lamports, space } = options;
  return {
    program: programs.system,
    accounts: [
      { address: payer, signer: true, writable: true },
      { address: account, signer: true, writable: true },
    ],
    data: Buffer.concat([
      Buffer.alloc(4),
      u64(lamports),
      u64(BigInt(space)),
      decodeAddress(programs.token),
    ]),
  };
}

/** Token program's InitializeMint2. */
export function initializeMint(
  mint: string,
  options: { decimals: number; authority: string; freezeAuthority?: string },
): Instruction {
  const { decimals, authority, freezeAuthority } = options;
  return tokenCall(
    20,
    [writable(mint)],
    Uint8Array.of(decimals),
    decodeAddress(authority),
    optionalKey(freezeAuthority),
  );
}

/** Token program's InitializeAccount3. */
export function initializeAccount(account: string, mint: string, owner: string): Instruction {
  return tokenCall(18, [writable(account), { address: mint }], decodeAddress(owner));
}

/** Token program's InitializeMultisig2: any `required` of the signers. */
export function initializeMultisig(
  multisig: string,
  required: number,
  signers: readonly string[],
): Instruction {
  const members = signers.map((address) => ({ address }));
  return tokenCall(19, [writable(multisig), ...members], Uint8Array.of(required));
}

/** Token program's MintTo. */
export function mintTo(
  account: string,
  amount: bigint,
  mint: { address: string; authority: string },
): Instruction {
  const accounts = [writable(mint.address), writable(account), signer(mint.authority)];
  return tokenCall(7, accounts, u64(amount));
}

/** Token program's Transfer. */
export function transfer(
  amount: bigint,
  route: { from: string; to: string; owner: string },
): Instruction {
  return tokenCall(3, [writable(route.from), writable(route.to), signer(route.owner)], u64(amount));
}

/** Token program's Approve. */
export function approve(
  amount: bigint,
  grant: { account: string; delegate: string; owner: string },
): Instruction {
  const accounts = [writable(grant.account), { address: grant.delegate }, signer(grant.owner)];
  return tokenCall(4, accounts, u64(amount));
}

/** The authorities SetAuthority can change, by the number it knows them by. */
const authorityTypes = { mintTokens: 0, closeAccount: 3 };

/** Token program's SetAuthority; without `to` the authority is given up for good. */
export function setAuthority(
  type: keyof typeof authorityTypes,
  change: { account: string; from: string; to?: string },
): Instruction {
  const accounts = [writable(change.account), signer(change.from)];
  return tokenCall(6, accounts, Uint8Array.of(authorityTypes[type]), optionalKey(change.to));
}

/** Token program's FreezeAccount. */
export function freezeAccount(account: string, mint: string, authority: string): Instruction {
  return tokenCall(10, [writable(account), { address: mint }, signer(authority)]);
}
