import { solanaFacts } from '../facts.ts';
import type { Ledger, LedgerView } from '../ledger/ledger.ts';
import { encodeAccount, type KeyedAccount } from './account.ts';
import { parseAddress } from './encodings.ts';
import {
  decodeProgramAccountsConfig,
  type ContextConfig,
  type ProgramAccountsConfig,
} from './config.ts';
import { decodeString } from './decode.ts';
import { errors, takeParams } from './errors.ts';
import { compileFilters, type Matcher } from './filter.ts';

/**
 * Returns the view of the requested commitment.
 *
 * @throws NodeError -32016 if it is behind `minContextSlot`.
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
  // Without sorting Agave's order is undefined; the reverse shows that it is not sorted.
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
 * Implements getProgramAccounts as Agave does (`rpc/src/rpc.rs`): an array of accounts, with
 * `withContext` in an object with the slot.
 *
 * @throws NodeError -32602, -32600 and -32016, in the order Agave checks.
 */
export function getProgramAccounts(ledger: Ledger, params: unknown): unknown {
  const [address, options] = takeParams(params, { min: 1, max: 2 });
  const text = decodeString(address);
  const config = decodeProgramAccountsConfig(options);
  const program = parseAddress(text);
  const matches = compileFilters(config.filters);
  const view = selectView(ledger, config);
  const value = collectAccounts(view, { program, matches, config });
  if (!config.withContext) return value;
  return { context: { apiVersion: solanaFacts.version, slot: view.slot }, value };
}
