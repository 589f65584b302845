import { refuseContracts, refuseMethod } from '../auth/allow.ts';
import type { Caller } from '../auth/caller.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { MethodEntry } from './protocol.ts';

/** Refuses a call that the allow-lists of the caller's key exclude. */
export function refuseCall(
  errors: ErrorCatalog,
  caller: Caller,
  { entry, params }: { readonly entry: MethodEntry; readonly params: readonly unknown[] },
): RpcError | undefined {
  const { methods, contracts } = caller.allowed;
  if (methods === undefined && contracts === undefined) return undefined;
  const refused =
    refuseMethod(caller, entry.name) ?? refuseContracts(caller, addressesOf(entry, params));
  if (refused === undefined) return undefined;
  const { reason, ...data } = refused;
  return errors.fail(reason, { data });
}

/**
 * The addresses a call is directed to: a param named `address`, and the `to` of a call object (an
 * object whose gas is capped). A contract creation has none, and counts as the empty address.
 */
function addressesOf(entry: MethodEntry, params: readonly unknown[]): readonly string[] {
  const addresses: unknown[] = [];
  for (const [index, { name }] of entry.params.entries()) {
    if (name === 'address') addresses.push(params[index]);
  }
  for (const { pointer } of entry.gasCaps) {
    const call = params[Number(pointer.split('/')[1])];
    const hasTo = typeof call === 'object' && call !== null && 'to' in call;
    addresses.push(hasTo ? call.to : '');
  }
  return addresses.map((address) => (typeof address === 'string' ? address : ''));
}
