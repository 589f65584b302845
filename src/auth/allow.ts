import { normalizeAddress, type Caller } from './caller.ts';

export type AllowFailure =
  | { readonly reason: 'network_not_allowed'; readonly network: string }
  | { readonly reason: 'origin_not_allowed' }
  | { readonly reason: 'method_not_allowed'; readonly method: string }
  | { readonly reason: 'contract_not_allowed'; readonly address: string };

/** Checks network and web origin of a request; the origin is undefined outside of browsers. */
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

/** Checks the contracts that a call is addressed to. */
export function refuseContracts(
  { allowed }: Caller,
  addresses: readonly string[],
): AllowFailure | undefined {
  const { contracts } = allowed;
  if (contracts === undefined) return undefined;
  const address = addresses.find((each) => !contracts.has(normalizeAddress(each)));
  return address === undefined ? undefined : { reason: 'contract_not_allowed', address };
}
