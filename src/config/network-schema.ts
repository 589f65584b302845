import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

const port = z.int().min(0).max(65_535).describe('0: any free one, of its own.');
export const positive = z.int().min(1);

/** Where something listens. */
export const address = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address of this machine; 0.0.0.0: all.'),
  port,
});

const tls = z
  .strictObject({
    cert: z.string().min(1).describe('File of the certificate, and of those that vouch for it.'),
    key: z.string().min(1).describe('File of its private key.'),
  })
  .describe('Serves https:// and wss:// only. PEM files; read again at each reload.');

const hostName = z
  .string()
  .regex(
    /^(?:[a-z\d_-]+\.)*[a-z\d_-]+$|^\[[\da-f:.]+\]$/,
    'not a host name; write e.g. rpc.example.com: lower case, no port, no *',
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
  .describe('Sent with every call; secrets belong into the environment: Bearer ${NODE_TOKEN}');

/** Headers that speak of the connection and of the body; each call has its own (RFC 9110, 7.6.1). */
const ownHeaders: ReadonlySet<string> = new Set([
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
  if (ownHeaders.has(name.toLowerCase())) return 'is set for each call; take it out';
  try {
    validateHeaderName(name);
  } catch {
    return 'not the name of a header; use letters, digits and hyphens';
  }
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'holds a character that headers may not; take line breaks out of the value';
  }
}

const upstream = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .describe('For logs and metrics; the URL may hold a secret and never shows up there.'),
  url: z
    .url({
      protocol: /^(?:https?|wss?)$/,
      error: 'not an http(s) or ws(s) URL; write e.g. http://127.0.0.1:8545',
    })
    .describe('http://, https://, ws:// or wss://'),
  headers,
  compression: z
    .boolean()
    .optional()
    .describe('Whether it may compress its answers; yes when absent. In vain on the same machine.'),
  weight: z
    .number()
    .positive()
    .default(1)
    .describe('How much of the load it takes beside the others of its tier.'),
  tier: positive
    .default(1)
    .describe('Upstreams of the lowest tier are asked as long as one of them can.'),
  budget: z
    .strictObject({ callsPerSecond: positive.optional(), callsPerDay: positive.optional() })
    .default({})
    .describe('What it may be asked, by each process; probes count.'),
});

export const network = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'not a name; use lower case letters, digits and hyphens')
    .describe('In allow-lists, logs and metrics.'),
  family: z
    .enum(['evm', 'svm'], { error: 'not a family; write evm or svm' })
    .describe('Decides which methods there are.'),
  listen: address.extend({ tls: tls.optional() }).describe('Its own address, or a shared one.'),
  hostNames: z
    .array(hostName)
    .min(1, 'name at least one host, or take hostNames out')
    .optional()
    .describe('Names it is reached by; needed where networks share an address. Others get a 404.'),
  identity: z
    .union([z.string(), z.int().transform(String)], {
      error: 'not an identity; write a chain id (evm) or a genesis hash (svm)',
    })
    .optional()
    .describe(
      'Chain id (evm) or genesis hash (svm); upstreams of another chain never serve. Needed with ' +
        'a partner or several upstreams; one alone decides by what it says.',
    ),
  upstreams: z.array(upstream).min(1, 'a network needs at least one upstream'),
  partner: upstream
    .optional()
    .describe("Asked in place of the network's own upstreams, for methods and plans that qualify."),
  lagBlocks: positive
    .optional()
    .describe(
      'Blocks an upstream may be behind the highest; when absent, as usual for the family.',
    ),
  hedgeAfterMs: positive
    .optional()
    .describe('After how long a second upstream is asked beside a slow one; never when absent.'),
});
