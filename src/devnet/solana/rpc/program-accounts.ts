import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerView } from '../ledger/view.ts';
import { encodeAccount, type KeyedAccount } from './account.ts';
import { parseAddress } from './address.ts';
import {
  decodeProgramAccountsConfig,
  type ContextConfig,
  type ProgramAccountsConfig,
} from './config.ts';
import { decodeString } from './decode.ts';
import { errors } from './errors.ts';
import { compileFilters, type Matcher } from './filter-match.ts';
import { takeParams } from './params.ts';
import { version } from './version.ts';

/**
 * The ledger as the asked commitment sees it.
 *
 * @throws NodeError -32016 when it is behind `minContextSlot`.
 */
export function selectView(ledger: Ledger, config: ContextConfig): LedgerView {
  const view = ledger[config.commitment];
  if (view.slot < config.minContextSlot) throw errors.minContextSlotNotReached(view.slot);
  return view;
}

function collectAccounts(
  view: LedgerView,
  query: { program: string; matches: Matcher; config: ProgramAccountsConfig },
): readonly KeyedAccount[] {
  const { program, matches, config } = query;
  const owned = view.accountsOf(program);
  // Agave promises no order when asked not to sort; ours shows that it is not the sorted one.
  const ordered = config.sortResults ? owned : owned.toReversed();
  const findData = (address: string): Uint8Array | undefined =>
    owned.find((account) => account.address === address)?.data;
  const { encoding, dataSlice } = config;
  return ordered
    .filter(({ data }) => matches(data))
    .map((account) => encodeAccount(account, { encoding, dataSlice, findData }))
    .filter((account) => account !== undefined);
}

/**
 * Answers getProgramAccounts as Agave does (`rpc/src/rpc.rs`): an array of accounts, or with
 * `withContext` the array beside the slot it was read at.
 *
 * @throws NodeError -32602, -32600 and -32016, in the order Agave checks.
 */
export function getProgramAccounts(ledger: Ledger, params: unknown): unknown {
  const [address, options] = takeParams(params, { least: 1, most: 2 });
  const text = decodeString(address);
  const config = decodeProgramAccountsConfig(options);
  const program = parseAddress(text);
  const matches = compileFilters(config.filters);
  const view = selectView(ledger, config);
  const value = collectAccounts(view, { program, matches, config });
  if (!config.withContext) return value;
  return { context: { apiVersion: version.core, slot: view.slot }, value };
}
