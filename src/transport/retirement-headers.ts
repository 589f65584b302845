import type { Retirement } from '../rpc/call.ts';

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), with links to what callers should read. Of a
 * batch the earliest dates count: by then a caller has to have done something.
 */
export function retirementHeaders(retirements: readonly Retirement[]): string[] {
  const deprecated_ms = earliest(retirements.map((each) => each.deprecated_ms));
  const sunset_ms = earliest(retirements.map((each) => each.sunset_ms));
  const headers: string[] = [];
  if (deprecated_ms !== undefined) {
    headers.push('deprecation', `@${Math.floor(deprecated_ms / 1000)}`);
  }
  if (sunset_ms !== undefined) headers.push('sunset', new Date(sunset_ms).toUTCString());
  const links = new Set(retirements.flatMap(linksOf));
  if (links.size > 0) headers.push('link', [...links].join(', '));
  return headers;
}

function linksOf({ deprecated_ms, sunset_ms, docs }: Retirement): string[] {
  if (docs === undefined) return [];
  return [
    ...(deprecated_ms === undefined ? [] : [`<${docs}>; rel="deprecation"; type="text/html"`]),
    ...(sunset_ms === undefined ? [] : [`<${docs}>; rel="sunset"; type="text/html"`]),
  ];
}

function earliest(moments_ms: readonly (number | undefined)[]): number | undefined {
  const known = moments_ms.filter((moment_ms) => moment_ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
