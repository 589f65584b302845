import type { Commitment } from '../ledger/ledger.ts';
import {
  decodeBoolean,
  decodeOptional,
  decodeSequence,
  decodeStruct,
  decodeUnsigned,
  decodeVariant,
  requireField,
  type Json,
} from './decode.ts';
import { decodeFilter, type Filter } from './filter.ts';

/** Encodings of account data; `binary` is the legacy base58 text. */
export type Encoding = 'binary' | 'base58' | 'base64' | 'jsonParsed' | 'base64+zstd';

const encodings: readonly Encoding[] = ['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd'];
const commitments: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/** A window of account data, in bytes. */
export interface DataSlice {
  readonly offset: bigint;
  readonly length: bigint;
}

export interface ContextConfig {
  readonly commitment: Commitment;
  readonly minContextSlot: bigint;
}

/** The second param of getProgramAccounts, defaults filled in. */
export interface ProgramAccountsConfig extends ContextConfig {
  readonly encoding: Encoding;
  readonly dataSlice: DataSlice | undefined;
  readonly filters: readonly Filter[];
  readonly withContext: boolean;
  readonly sortResults: boolean;
}

/** Agave ignores an unknown commitment, since it flattens an optional struct. */
function decodeCommitment(value: unknown): Commitment {
  return commitments.find((commitment) => commitment === value) ?? 'finalized';
}

function decodeConfig(value: unknown, name: string): Json {
  return decodeOptional(value, (config) => decodeStruct(config, name)) ?? {};
}

function decodeContext(config: Json): ContextConfig {
  const slot = decodeOptional(config['minContextSlot'], (slot) => decodeUnsigned(slot, 'u64'));
  return { commitment: decodeCommitment(config['commitment']), minContextSlot: slot ?? 0n };
}

function decodeDataSlice(value: unknown): DataSlice {
  const slice = decodeStruct(value, 'UiDataSliceConfig');
  return {
    offset: decodeUnsigned(requireField(slice, 'offset'), 'usize'),
    length: decodeUnsigned(requireField(slice, 'length'), 'usize'),
  };
}

/** Reads the config of getSlot and getBlockHeight (Agave, `RpcContextConfig`). */
export function decodeContextConfig(value: unknown): ContextConfig {
  return decodeContext(decodeConfig(value, 'RpcContextConfig'));
}

/**
 * Reads the config of getProgramAccounts (Agave, `RpcProgramAccountsConfig` in
 * `rpc-client-types/src/config.rs`); unknown fields are ignored.
 *
 * @throws NodeError -32602 `Invalid params: …`
 */
export function decodeProgramAccountsConfig(value: unknown): ProgramAccountsConfig {
  const config = decodeConfig(value, 'RpcProgramAccountsConfig');
  const decodeEncoding = (name: unknown): Encoding => decodeVariant(name, encodings);
  const filters = decodeOptional(config['filters'], decodeSequence) ?? [];
  return {
    filters: filters.map(decodeFilter),
    withContext: decodeOptional(config['withContext'], decodeBoolean) ?? false,
    sortResults: decodeOptional(config['sortResults'], decodeBoolean) ?? true,
    encoding: decodeOptional(config['encoding'], decodeEncoding) ?? 'binary',
    dataSlice: decodeOptional(config['dataSlice'], decodeDataSlice),
    ...decodeContext(config),
  };
}
