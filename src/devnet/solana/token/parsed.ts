import { nativeMint, programs } from '../addresses.ts';
import { readMint, readMultisig, readTokenAccount, type TokenAccount } from './state.ts';

/** The data of an account in `jsonParsed` form. */
export interface ParsedData {
  readonly parsed: { readonly info: object; readonly type: string };
  readonly program: string;
  readonly space: number;
}

/** The token programs, and what `jsonParsed` calls them. */
const names = new Map<string, string>([
  [programs.token, 'spl-token'],
  [programs.token2022, 'spl-token-2022'],
]);

/** Lamports to a SOL. */
const nativeDecimals = 9;

/** Agave computes powers of ten in 64 bits. */
const maxComputedDecimals = 19;

/** Whether accounts of the program are parsed by `jsonParsed`. */
export function isTokenProgram(program: string): boolean {
  return names.has(program);
}

/** Writes a token amount with its decimals, trailing zeros left out: 1500000, 6 → `1.5`. */
export function formatAmount(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function describeAmount(amount: bigint, decimals: number): object {
  const uiAmount = decimals > maxComputedDecimals ? null : Number(amount) / 10 ** decimals;
  return {
    amount: amount.toString(),
    decimals,
    uiAmount,
    uiAmountString: formatAmount(amount, decimals),
  };
}

/** Members that are undefined are left out of the JSON. */
function describeAccount(account: TokenAccount, decimals: number): object {
  const { closeAuthority, delegate, delegatedAmount, nativeReserve } = account;
  return {
    closeAuthority,
    delegate,
    delegatedAmount: delegate && describeAmount(delegatedAmount, decimals),
    isNative: nativeReserve !== undefined,
    mint: account.mint,
    owner: account.owner,
    rentExemptReserve:
      nativeReserve === undefined ? undefined : describeAmount(nativeReserve, decimals),
    state: account.frozen ? 'frozen' : 'initialized',
    tokenAmount: describeAmount(account.amount, decimals),
  };
}

type FindData = (address: string) => Uint8Array | undefined;

function decimalsOf(mint: string, findData: FindData): number | undefined {
  if (mint === nativeMint) return nativeDecimals;
  const data = findData(mint);
  return data && readMint(data)?.decimals;
}

function describeToken(data: Uint8Array, findData: FindData): ParsedData['parsed'] | undefined {
  const account = readTokenAccount(data);
  if (account !== undefined) {
    const decimals = decimalsOf(account.mint, findData);
    if (decimals === undefined) return undefined;
    return { info: describeAccount(account, decimals), type: 'account' };
  }
  const mint = readMint(data);
  if (mint !== undefined) {
    const info = {
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority ?? null,
      isInitialized: true,
      mintAuthority: mint.authority ?? null,
      supply: mint.supply.toString(),
    };
    return { info, type: 'mint' };
  }
  const multisig = readMultisig(data);
  return multisig && { info: { isInitialized: true, ...multisig }, type: 'multisig' };
}

/**
 * Parses a token program's account (Agave, `account-decoder/src/parse_token.rs`), keys in the
 * order Agave writes them.
 *
 * @param findData the data of another account of the program: a token account's decimals are its mint's.
 * @returns undefined if it is not a mint, account or multisig, or its mint is not found.
 */
export function parseToken(
  program: string,
  data: Uint8Array,
  findData: FindData,
): ParsedData | undefined {
  const parsed = describeToken(data, findData);
  return parsed && { parsed, program: names.get(program)!, space: data.length };
}
