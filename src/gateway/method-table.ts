import { dropNulls } from './drop-nulls.ts';
import type { Method, Retirement } from '../rpc/call.ts';
import type { MethodEntry, Protocol, ServiceSource } from './protocol.ts';

/** A method of the gateway, with its row of the generated table. */
export interface GatewayMethod extends Method {
  readonly entry: MethodEntry;
  /** What the gateway itself returns; undefined for methods that nodes serve. */
  readonly service?: ServiceSource;
  /** Whether a node's revert is normalized, whatever the node's dialect. */
  readonly reverts: boolean;
}

/** Returns the methods of a network of `family`, by name. */
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
      prepare: (params, rawParams) => dropNulls(entry, params, rawParams),
      retirement: retirementOf(entry),
      entry,
      reverts: entry.errors.some((name) => protocol.errors[name]?.reason === 'execution_reverted'),
    });
  }
  return table;
}

/** Returns the retirement of a method; undefined when none is planned. */
function retirementOf(entry: MethodEntry): Retirement | undefined {
  const isDeprecated = entry.deprecated || entry.stability === 'deprecated';
  const sunset_ms = readDate(entry.sunset);
  if (!isDeprecated && sunset_ms === undefined) return undefined;
  // The header needs a date. If the date is unknown, 1970-01-01 is sent: the deprecation is in the past.
  const deprecated_ms = isDeprecated ? (readDate(entry.deprecatedSince) ?? 0) : undefined;
  return { deprecated_ms, sunset_ms, docs: readUrl(entry.docs) };
}

function readDate(text: string | null): number | undefined {
  const date_ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date_ms) ? undefined : date_ms;
}

/** Returns an absolute URL, encoded so that it can be sent in a header. */
function readUrl(text: string | null): string | undefined {
  return text !== null && URL.canParse(text) ? new URL(text).href : undefined;
}
