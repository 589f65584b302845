import type { IncomingHttpHeaders } from 'node:http';
import { checkCall, checkPlace, type AllowFailure, type Caller } from '../auth/caller.ts';
import type { KeyIndex } from '../auth/key-index.ts';
import type { ErrorCatalog } from '../errors/catalog.ts';
import { err, ok, PASSED, type Result } from '../errors/result.ts';
import type { GatewayMethod } from './method-table.ts';
import type { MethodEntry } from './protocol.ts';

/** Identifies callers by their API keys. */
export interface Authenticator {
  /** Returns the caller that sent `key` with these headers. */
  authenticate(key: string, headers: IncomingHttpHeaders): Result<Session>;
  /** Whether a text contains a key, valid or not; keys of other accounts are found as whole words only. */
  containsKey(text: string, caller: Caller): boolean;
  /** Returns the caller of a session as of now. */
  recheck(session: Session): Result<Caller>;
}

/** A caller that was authenticated. */
export interface Session {
  readonly caller: Caller;
  readonly keyHash: string;
  /** The Origin header; undefined outside browsers. */
  readonly origin: string | undefined;
  /** Whether the calls were forwarded by a gateway whose own nodes cannot serve them. */
  readonly isForwarded: boolean;
}

/**
 * Header of calls that a gateway forwards to its partner, so that gateways that are partners of each
 * other do not forward them in a loop.
 */
export const FORWARDED_HEADER = 'x-specgate-forwarded';

/** Creates the authenticator of a network. It applies the network and origin allow-lists of keys. */
export function createAuthenticator(
  index: KeyIndex,
  {
    network,
    errors,
    now_ms,
  }: {
    readonly network: string;
    readonly errors: ErrorCatalog;
    readonly now_ms: () => number;
  },
): Authenticator {
  const check = (caller: Caller, origin: string | undefined): Result<undefined> =>
    toRpcError(errors, checkPlace(caller, { network, origin }));
  return {
    authenticate(key, { origin, [FORWARDED_HEADER]: mark }) {
      if (key === '') return err(errors.fail('key_missing'));
      const admission = index.authenticate(key, now_ms());
      if (!admission.ok) return err(errors.fail(admission.error));
      const isForwarded = mark !== undefined;
      const { keyHash } = admission.value;
      const caller = markCaller(admission.value.caller, isForwarded);
      const allowed = check(caller, origin);
      return allowed.ok ? ok({ caller, keyHash, origin, isForwarded }) : allowed;
    },
    containsKey: (text, { accountId }) => index.isWithin(text, accountId),
    recheck({ keyHash, origin, isForwarded }) {
      const caller = index.recheck(keyHash, now_ms());
      if (!caller.ok) return err(errors.fail(caller.error));
      const allowed = check(caller.value, origin);
      return allowed.ok ? ok(markCaller(caller.value, isForwarded)) : allowed;
    },
  };
}

function markCaller(caller: Caller, isForwarded: boolean): Caller {
  return isForwarded ? { ...caller, isForwarded } : caller;
}

/**
 * Applies the method and contract allow-lists of the caller's key to a call. Service methods are
 * always allowed: libraries call them on their own, and no node is called.
 */
export function authorizeCall(
  errors: ErrorCatalog,
  caller: Caller,
  { method, params }: { readonly method: GatewayMethod; readonly params: readonly unknown[] },
): Result<undefined> {
  const { methods, contracts } = caller.allowed;
  const isRestricted = methods !== undefined || contracts !== undefined;
  if (!isRestricted || method.service !== undefined) return PASSED;
  return toRpcError(errors, checkCall(caller, method.name, addressesOf(method.entry, params)));
}

function toRpcError(
  errors: ErrorCatalog,
  checked: Result<undefined, AllowFailure>,
): Result<undefined> {
  if (checked.ok) return checked;
  const { reason, ...data } = checked.error;
  return err(errors.fail(reason, { data }));
}

/**
 * Returns the addresses a call is directed to: a param named `address`, and the `to` of a call object
 * (an object whose gas is capped). A contract creation has none and counts as the empty address.
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
