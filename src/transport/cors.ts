/** Browsers of any origin may call, and read the headers that speak of the call. */
export const corsHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-request-id, x-credits-cost, x-forwarded-to, ratelimit, ratelimit-policy, retry-after, ' +
    'deprecation, sunset, link',
];

/** `solana-client` is sent by @solana/kit, `traceparent` by browsers that trace. */
const ALLOWED_HEADERS = 'content-type, solana-client, x-request-id, traceparent';

/** Answer to a preflight (Fetch standard, CORS protocol) for an address that takes `methods`. */
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
