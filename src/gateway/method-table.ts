import type { Method } from '../rpc/call.ts';
import type { MethodEntry, Protocol } from './protocol.ts';
import { retirementOf } from './retirement.ts';

/** A method as the gateway performs it. */
export interface GatewayMethod extends Method {
  readonly entry: MethodEntry;
  /** Node errors that mean "not found". */
  readonly notFound: readonly { readonly code: number; readonly message: RegExp }[];
  /** Whether a node's revert, in whatever dialect, is to be told as the document says. */
  readonly reverts: boolean;
}

/** The methods a network of `family` offers, by name. */
export function methodTable(
  protocol: Protocol,
  family: string,
): ReadonlyMap<string, GatewayMethod> {
  const table = new Map<string, GatewayMethod>();
  for (const entry of Object.values(protocol.methods)) {
    if (entry.family !== null && entry.family !== family) continue;
    const validateParams = protocol.validateParams[entry.name];
    if (validateParams === undefined) throw new Error(`no validator of params for ${entry.name}`);
    table.set(entry.name, {
      name: entry.name,
      validateParams,
      retirement: retirementOf(entry),
      entry,
      notFound: entry.notFound.map(({ code, message }) => ({ code, message: new RegExp(message) })),
      reverts: entry.errors.some((name) => protocol.errors[name]?.reason === 'execution_reverted'),
    });
  }
  return table;
}
