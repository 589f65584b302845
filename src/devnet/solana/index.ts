import { type DevnetNode, startNodeServer } from '../node-server.ts';
import { encodeAddress, namedBytes } from './addresses.ts';
import { blockHeights, slots, version } from './facts.ts';
import { openLedger, type Ledger, type LedgerView } from './ledger/ledger.ts';
import { encodeAccount, type KeyedAccount } from './rpc/account.ts';
import {
  decodeContextConfig,
  decodeProgramAccountsConfig,
  type ContextConfig,
  type ProgramAccountsConfig,
} from './rpc/config.ts';
import { decodeString, errors, parseAddress, takeParams } from './rpc/decode.ts';
import { compileFilters, type Matcher } from './rpc/filter.ts';

/**
 * Starts the Solana node of the development network: a litesvm ledger with fixed contents behind
 * the JSON-RPC methods a gateway and its clients use. Port 0 or undefined is any free port.
 *
 * @throws Error if litesvm is not installed or the port is in use.
 */
export async function startSolanaNode(options: { port?: number } = {}): Promise<DevnetNode> {
  const ledger = await openLedger();
  return startNodeServer({
    name: 'solana',
    port: options.port ?? 0,
    handle(name, params) {
      const method = methods.get(name);
      if (method === undefined) throw errors.methodNotFound();
      return method(ledger, params);
    },
  });
}

type Method = (ledger: Ledger, params: unknown) => unknown;

/** Slots without a block since genesis, so that height and slot differ. */
const skippedSlots = BigInt(slots.finalized - blockHeights.finalized);

/** An arbitrary number: real ones are hashes that no client reads. */
const FEATURE_SET = 1_500_430_001;

const methods = new Map<string, Method>([
  ['getProgramAccounts', getProgramAccounts],
  ['getSlot', getSlot],
  ['getBlockHeight', (ledger, params) => getSlot(ledger, params) - skippedSlots],
  ['getHealth', answerConstant('ok')],
  ['getGenesisHash', answerConstant(encodeAddress(namedBytes('genesis')))],
  ['getVersion', answerConstant({ 'feature-set': FEATURE_SET, 'solana-core': version })],
]);

/** Returns a method without params and with a constant result. */
function answerConstant(answer: unknown): Method {
  return (_ledger, params) => {
    takeParams(params, { min: 0, max: 0 });
    return answer;
  };
}

function getSlot(ledger: Ledger, params: unknown): bigint {
  const [config] = takeParams(params, { min: 0, max: 1 });
  return selectView(ledger, decodeContextConfig(config)).slot;
}

/**
 * Implements getProgramAccounts as Agave does (`rpc/src/rpc.rs`): an array of accounts, with
 * `withContext` in an object with the slot.
 *
 * @throws NodeError -32602, -32600 and -32016, in the order Agave checks.
 */
function getProgramAccounts(ledger: Ledger, params: unknown): unknown {
  const [address, options] = takeParams(params, { min: 1, max: 2 });
  const text = decodeString(address);
  const config = decodeProgramAccountsConfig(options);
  const program = parseAddress(text);
  const matches = compileFilters(config.filters);
  const view = selectView(ledger, config);
  const value = collectAccounts(view, { program, matches, config });
  return config.withContext ? { context: { apiVersion: version, slot: view.slot }, value } : value;
}

/**
 * Returns the view of the requested commitment.
 *
 * @throws NodeError -32016 if it is behind `minContextSlot`.
 */
function selectView(ledger: Ledger, config: ContextConfig): LedgerView {
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
  return ordered
    .filter(({ data }) => matches(data))
    .map((account) => encodeAccount(account, { ...config, findData }))
    .filter((account) => account !== undefined);
}
