import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

export const positive = z.int().min(1);

const headers = z
  .record(z.string(), z.string())
  .superRefine((values, context) => {
    for (const [name, value] of Object.entries(values)) {
      const message = refuseHeader(name, value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .default({})
  .describe('Sent with every call. Keep secrets in the environment: Bearer ${NODE_TOKEN}');

/** Headers that are set for each connection or body (RFC 9110, 7.6.1). */
const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function refuseHeader(name: string, value: string): string | undefined {
  if (reservedHeaders.has(name.toLowerCase())) return 'reserved header; remove it';
  try {
    validateHeaderName(name);
  } catch {
    return 'invalid header name, expected letters, digits and hyphens';
  }
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'invalid character in header value; remove line breaks';
  }
}

/** A node that calls are sent to, or the partner. */
export const upstream = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .describe('Shown in logs and metrics; the URL may contain a secret and is not shown.'),
  url: z
    .url({
      protocol: /^(?:https?|wss?)$/,
      error: 'invalid URL, expected http(s) or ws(s), e.g. http://127.0.0.1:8545',
    })
    .describe('http://, https://, ws:// or wss://'),
  headers,
  compression: z
    .boolean()
    .optional()
    .describe(
      'Whether to accept compressed responses; default: true. Turn it off for a node on this machine.',
    ),
  batch: z
    .enum(['auto', 'on', 'off'])
    .optional()
    .describe(
      'Whether the calls of a batch are sent over HTTP as one batch: on, off, or auto (on unless the node rejects batches); default: auto.',
    ),
  weight: z
    .number()
    .positive()
    .default(1)
    .describe('Share of the load relative to the other upstreams of its tier.'),
  tier: positive
    .default(1)
    .describe(
      'Upstreams of a higher tier are used only if all upstreams of lower tiers are unavailable.',
    ),
  callsInFlight: positive
    .optional()
    .describe(
      'Number of calls that the node works on at a time; it gets no more per process. Two are kept for probes, and a fifth of the others for accounts below their share. Default: `upstream_calls_in_flight` and, over HTTP, `upstream_connections`, which also limit it.',
    ),
  budget: z
    .strictObject({
      callsPerSecond: positive.optional(),
      burst: positive
        .optional()
        .describe(
          'Number of calls that are saved up while fewer are sent; default: those of a second. In any second, the upstream gets at most `callsPerSecond` and `burst` together.',
        ),
      callsPerDay: positive.optional(),
    })
    .refine(({ callsPerSecond, burst }) => burst === undefined || callsPerSecond !== undefined, {
      path: ['burst'],
      message: 'expected callsPerSecond beside it',
    })
    .default({})
    .describe('Maximum number of calls per process, probes included.'),
});
