import type { Retirement } from '../rpc/call.ts';
import type { MethodEntry } from './protocol.ts';

/** What a method's row says of its retirement; undefined when it stays. */
export function retirementOf(entry: MethodEntry): Retirement | undefined {
  const isDeprecated = entry.deprecated || entry.stability === 'deprecated';
  const sunset_ms = readDate(entry.sunset);
  if (!isDeprecated && sunset_ms === undefined) return undefined;
  // A header has to give a date: of one that is not told, only that it has passed is known.
  const deprecated_ms = isDeprecated ? (readDate(entry.deprecatedSince) ?? 0) : undefined;
  return { deprecated_ms, sunset_ms, docs: readAddress(entry.docs) };
}

function readDate(text: string | null): number | undefined {
  const date_ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date_ms) ? undefined : date_ms;
}

/** As it may stand in a header: absolute, and everything odd in it encoded. */
function readAddress(text: string | null): string | undefined {
  return text !== null && URL.canParse(text) ? new URL(text).href : undefined;
}
