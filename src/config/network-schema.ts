import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

const port = z.int().min(0).max(65_535).describe('0: any free port.');
export const positive = z.int().min(1);

export const address = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Local address; 0.0.0.0: all.'),
  port,
});

const tls = z
  .strictObject({
    cert: z.string().min(1).describe('File with the certificate chain.'),
    key: z.string().min(1).describe('File with the private key.'),
  })
  .describe('Serves https:// and wss:// only. PEM files, read again on each reload.');

const hostName = z
  .string()
  .regex(
    /^(?:[a-z\d_-]+\.)*[a-z\d_-]+$|^\[[\da-f:.]+\]$/,
    'invalid host name, expected e.g. rpc.example.com: lower case, no port, no *',
  );

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

const upstream = z.strictObject({
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
    .describe('Whether to accept compressed responses; default true. Useless on the same machine.'),
  weight: z
    .number()
    .positive()
    .default(1)
    .describe('Share of the load relative to the other upstreams of its tier.'),
  tier: positive
    .default(1)
    .describe('Upstreams of a higher tier are used only if all of the lower ones are unavailable.'),
  budget: z
    .strictObject({ callsPerSecond: positive.optional(), callsPerDay: positive.optional() })
    .default({})
    .describe('Maximum number of calls per process, probes included.'),
});

export const network = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'invalid name, expected lower case letters, digits and hyphens')
    .describe('Used in allow-lists, logs and metrics.'),
  family: z
    .enum(['evm', 'svm'], { error: 'invalid family, expected evm or svm' })
    .describe('Determines the methods.'),
  listen: address
    .extend({ tls: tls.optional() })
    .describe('The address; networks with different hostNames may share one.'),
  hostNames: z
    .array(hostName)
    .min(1, 'expected at least one host name; add one or remove hostNames')
    .optional()
    .describe(
      'Host names of the network; required if networks share an address. Others get a 404.',
    ),
  identity: z
    .union([z.string(), z.int().transform(String)], {
      error: 'invalid identity, expected a chain id (evm) or a genesis hash (svm)',
    })
    .optional()
    .describe(
      'Chain id (evm) or genesis hash (svm); upstreams of another chain are not used. Required ' +
        'with a partner or several upstreams; default: the identity of the only upstream.',
    ),
  upstreams: z.array(upstream).min(1, 'expected at least one upstream'),
  partner: upstream
    .optional()
    .describe(
      "Gets calls that the network's own upstreams cannot answer, if method and plan allow it.",
    ),
  lagBlocks: positive
    .optional()
    .describe('Blocks an upstream may lag behind the highest; the default depends on the family.'),
  hedgeAfterMs: positive
    .optional()
    .describe(
      'Delay after which a second upstream is called in addition to a slow one; default: never.',
    ),
});
