import { refusePlace } from '../auth/allow.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeyIndex } from '../auth/key-index.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { Door } from '../transport/site.ts';

/** Lets callers into a network by their keys, the places these are restricted to included. */
export function createDoor(
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
): Door {
  const refuse = (caller: Caller, origin: string | undefined): RpcError | undefined => {
    const refused = refusePlace(caller, { network, origin });
    if (refused === undefined) return undefined;
    const { reason, ...data } = refused;
    return errors.fail(reason, { data });
  };
  return {
    admit(key, { origin }) {
      if (key === '') return errors.fail('key_missing');
      const admission = index.authenticate(key, now_ms());
      if (typeof admission === 'string') return errors.fail(admission);
      return refuse(admission.caller, origin) ?? { ...admission, origin };
    },
    isKey: (text) => index.has(text),
    recheck({ keyHash, origin }) {
      const caller = index.recheck(keyHash, now_ms());
      if (typeof caller === 'string') return errors.fail(caller);
      return refuse(caller, origin) ?? caller;
    },
  };
}
