import { normaliseAddress, type Caller } from './caller.ts';

export type AllowFailure =
  | { readonly reason: 'network_not_allowed'; readonly network: string }
  | { readonly reason: 'origin_not_allowed' }
  | { readonly reason: 'method_not_allowed'; readonly method: string }
  | { readonly reason: 'contract_not_allowed'; readonly address: string };

/** Whether the key may be used on this network, from this web origin (undefined: no browser). */
export function refusePlace(
  { allowed }: Caller,
  { network, origin }: { network: string; origin: string | undefined },
): AllowFailure | undefined {
  if (allowed.networks?.has(network) === false) return { reason: 'network_not_allowed', network };
  if (allowed.origins?.has(origin ?? '') === false) return { reason: 'origin_not_allowed' };
  return undefined;
}

export function refuseMethod({ allowed }: Caller, method: string): AllowFailure | undefined {
  return allowed.methods?.has(method) === false
    ? { reason: 'method_not_allowed', method }
    : undefined;
}

/** Whether every contract a call is directed to is one the key may call. */
export function refuseContracts(
  { allowed }: Caller,
  addresses: readonly string[],
): AllowFailure | undefined {
  const { contracts } = allowed;
  if (contracts === undefined) return undefined;
  const address = addresses.find((each) => !contracts.has(normaliseAddress(each)));
  return address === undefined ? undefined : { reason: 'contract_not_allowed', address };
}
