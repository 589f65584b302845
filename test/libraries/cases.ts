/** What every library is asked: one call per method, and its result on the development network. */
import type { Methods } from '../../generated/client/src/index.ts';
import { document, type Json } from '../support/document.ts';

/** The methods that the gateway answers itself; library code calls them on its own. */
export type ServiceMethod =
  | 'eth_chainId'
  | 'net_version'
  | 'eth_blockNumber'
  | 'web3_clientVersion';
export type MethodName = keyof Methods | ServiceMethod;

export type Params<M extends MethodName> = M extends keyof Methods ? Methods[M]['params'] : [];
type Results = { [M in keyof Methods]: NonNullable<Methods[M]['result']> };

export type NetworkName = 'evm' | 'solana' | 'archive';

export interface Case {
  readonly method: MethodName;
  readonly network: NetworkName;
  readonly params: readonly Json[];
  readonly result: Json;
}

function caseOf({ name, examples }: (typeof document)['methods'][number]): Case {
  const example = examples.find(
    ({ result, 'x-setup': setup }) => setup === undefined && (result?.value ?? null) !== null,
  )!;
  return {
    method: name as MethodName,
    network: example['x-network'] as NetworkName,
    params: example.params.map(({ value }) => value),
    result: example.result!.value,
  };
}

/** The first example of each method that has a result, then the service methods of EVM networks. */
export const cases: readonly Case[] = [
  ...document.methods.map(caseOf),
  ...document['x-service-methods']
    .filter(({ family }) => family === 'evm')
    .map(({ name, example }): Case => {
      return { method: name as MethodName, network: 'evm', params: [], result: example! };
    }),
];

const hashOf = ({ hash }: { readonly hash: unknown }): unknown => hash;
const asNumber = (text: string): unknown => BigInt(text);

type Essences = { readonly [M in keyof Methods]: (result: Results[M]) => unknown } & {
  readonly [M in ServiceMethod]: (result: string) => unknown;
};

const essences: Essences = {
  getProgramAccounts: (list) => (list as { pubkey: string }[]).map(({ pubkey }) => pubkey),
  eth_getTransactionByHash: hashOf,
  eth_getTransactionByBlockHashAndIndex: hashOf,
  eth_getTransactionByBlockNumberAndIndex: hashOf,
  eth_getBlockByHash: hashOf,
  eth_getBlockByNumber: hashOf,
  eth_getUncleByBlockNumberAndIndex: hashOf,
  eth_getBlockReceipts: (receipts) => receipts.map(({ transactionHash }) => transactionHash),
  eth_getTransactionReceipt: ({ transactionHash }) => transactionHash,
  eth_estimateGas: asNumber,
  eth_getProof: ({ storageProof }) => storageProof.map(({ value }) => BigInt(value)),
  eth_chainId: asNumber,
  net_version: asNumber,
  eth_blockNumber: asNumber,
  web3_clientVersion: (version) => version,
};

/**
 * The part of a result that the function of a library has to return in its own form: hashes as text,
 * numbers as bigint.
 */
export function essenceOf({ method, result }: Case): unknown {
  return (essences[method] as (value: unknown) => unknown)(result);
}
