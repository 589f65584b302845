import type { AccountBalance } from '../gateway/account-service.ts';
import type { Retirement } from '../rpc/call.ts';

/** Lets pages of any origin send calls and read the headers of the answer. */
export const corsHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-request-id, x-credits-cost, x-forwarded-to, ratelimit, ratelimit-policy, retry-after, ' +
    'deprecation, sunset, link',
];

/** `solana-client` is sent by @solana/kit, `traceparent` by browsers that trace. */
const ALLOWED_HEADERS = 'content-type, solana-client, x-request-id, traceparent';

/**
 * Returns the headers of the answer to a preflight (Fetch standard, CORS protocol) for a path that takes
 * `methods`.
 */
export function preflightHeaders(methods: readonly string[]): string[] {
  return [
    'access-control-allow-methods',
    methods.join(', '),
    'access-control-allow-headers',
    ALLOWED_HEADERS,
    'access-control-max-age',
    '86400',
  ];
}

const DAY_S = 86_400;

/**
 * Returns headers with the cost of a call, and with the account's limits as in
 * draft-ietf-httpapi-ratelimit-headers: the policies `credits` (per day) and `calls` (per second).
 */
export function accountHeaders(
  credits_charged: number,
  { credits, calls }: AccountBalance,
): string[] {
  let policy = `"calls";q=${calls.limit};w=1`;
  let remaining = `"calls";r=${calls.remaining};t=1`;
  if (credits !== undefined) {
    policy = `"credits";q=${credits.limit};w=${DAY_S}, ${policy}`;
    remaining = `"credits";r=${credits.remaining};t=${credits.resetsIn_s}, ${remaining}`;
  }
  const cost = String(credits_charged);
  return ['x-credits-cost', cost, 'ratelimit-policy', policy, 'ratelimit', remaining];
}

/**
 * Returns `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), with links to the migration docs. A batch
 * gets its earliest dates, by which the caller must act.
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

function earliest(times_ms: readonly (number | undefined)[]): number | undefined {
  const known = times_ms.filter((time_ms) => time_ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
