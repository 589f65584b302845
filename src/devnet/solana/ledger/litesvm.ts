import type * as litesvm from 'litesvm';

export interface SvmAccount {
  readonly address: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly lamports: bigint;
  /** The program that owns the account. */
  readonly programAddress: string;
  readonly space: bigint;
}

/** The used part of litesvm's LiteSVM, without @solana/kit's branded types. */
export interface Svm {
  getProgramAccounts(program: string): readonly SvmAccount[];
  setAccount(account: SvmAccount): void;
  minimumBalanceForRentExemption(bytes: bigint): bigint;
  warpToSlot(slot: bigint): void;
  getClock(): { readonly slot: bigint };
  toBytes(): Uint8Array;
}

type Written = Pick<SvmAccount, 'address' | 'data' | 'lamports' | 'programAddress'>;

/** Writes an account that is not a program. */
export function writeAccount(svm: Svm, account: Written): void {
  svm.setAccount({ ...account, executable: false, space: BigInt(account.data.length) });
}

interface SvmModule {
  /** An empty ledger with every feature and every program of a real cluster. */
  open(): Svm;
  /** A copy of a ledger from its `toBytes`. */
  restore(bytes: Uint8Array): Svm;
}

function adapt({ LiteSVM, FeatureSet }: typeof litesvm): SvmModule {
  return {
    // The constructor would add a faucet with a random key.
    open: () =>
      LiteSVM.default()
        .withFeatureSet(FeatureSet.allEnabled())
        .withBuiltins()
        .withSysvars()
        .withPrecompiles()
        .withDefaultPrograms()
        .withNativeMints() as unknown as Svm,
    restore: (bytes) => LiteSVM.fromBytes(bytes) as unknown as Svm,
  };
}

/**
 * Loads litesvm, an optional dependency.
 *
 * @throws Error in one line, naming the package and the fix, when it cannot be loaded.
 */
export async function loadSvm(
  load: () => Promise<typeof litesvm> = () => import('litesvm'),
): Promise<SvmModule> {
  try {
    return adapt(await load());
  } catch (cause) {
    throw new Error(
      'the Solana development ledger needs the package litesvm, which could not be loaded: ' +
        'run "npm install --save-dev litesvm@1.5.0" (Linux and macOS, x64 and arm64)',
      { cause },
    );
  }
}
