import { z } from 'zod';
import { publicLimits, type LimitOverrides, type PublicLimitName } from './limits.ts';
import { positive, upstream } from './upstream-schema.ts';

const port = z.int().min(0).max(65_535).describe('0 picks a free port.');

const address = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on; 0.0.0.0 for all interfaces.'),
  port,
});

const tls = z
  .strictObject({
    cert: z.string().min(1).describe('File with the certificate chain.'),
    key: z.string().min(1).describe('File with the private key.'),
  })
  .describe('Serves https:// and wss:// only. The PEM files are read again on each reload.');

const hostName = z
  .string()
  .regex(
    /^(?:[a-z\d_-]+\.)*[a-z\d_-]+$|^\[[\da-f:.]+\]$/,
    'invalid host name, expected e.g. rpc.example.com: lower case, no port, no *',
  );

const names = z.array(z.string().min(1)).optional();

/** Returns a setting that is on for all methods, for none, or for all except some. */
const methodSwitch = (description: string) =>
  z
    .union([z.boolean(), z.strictObject({ except: z.array(z.string().min(1)) })], {
      error: 'invalid value, expected true, false, or { except: [method] }',
    })
    .optional()
    .describe(`${description} true, false, or true except for some methods; default true.`);

const network = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'invalid name, expected lowercase letters, digits and hyphens')
    .describe('Used in allow-lists, logs and metrics.'),
  family: z
    .enum(['evm', 'svm'], { error: 'invalid family, expected evm or svm' })
    .describe('Determines which methods the network has.'),
  listen: address
    .extend({ tls: tls.optional() })
    .describe('Address of the network; networks with different hostNames may share an address.'),
  hostNames: z
    .array(hostName)
    .min(1, 'expected at least one host name; add one or remove hostNames')
    .optional()
    .describe(
      'Host names of the network; required if networks share an address. Requests for other hosts get a 404.',
    ),
  publicUrl: z
    .url({
      protocol: /^https?$/,
      error: 'invalid URL, expected http(s), e.g. https://mainnet.rpc.example.com',
    })
    .optional()
    .describe(
      'Base address of the network for callers, without /v3; listed as `servers` in the document ' +
        'that the network serves.',
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
  serviceMethods: z
    .boolean()
    .optional()
    .describe(
      'Whether the gateway handles eth_chainId, net_version, eth_blockNumber and ' +
        'web3_clientVersion itself, free of charge (evm); default true.',
    ),
  cache: methodSwitch('Whether results that can no longer change (x-immutable) are cached:'),
  cacheServer: z
    .url({
      protocol: /^rediss?$/,
      error:
        'invalid URL, expected redis(s), e.g. redis://user:${REDIS_PASSWORD}@cache.internal:6379/0',
    })
    .optional()
    .describe(
      'Redis or Valkey server on which gateways share cached results; default: each process has its own.',
    ),
  sharedCalls: methodSwitch('Whether identical calls in flight share one upstream call:'),
  upstreams: z.array(upstream).min(1, 'expected at least one upstream'),
  partner: upstream
    .optional()
    .describe(
      "Receives calls that the network's own upstreams cannot serve, if the method and the plan allow it.",
    ),
  lagBlocks: positive
    .optional()
    .describe(
      'Maximum number of blocks that an upstream may lag behind the highest upstream; the default depends on the family.',
    ),
  hedgeAfterMs: positive
    .optional()
    .describe(
      'Delay after which a second upstream is called in addition to a slow one; default: never.',
    ),
});

const allow = z
  .strictObject({
    methods: names.describe('Methods that may be called.'),
    networks: names.describe('Networks that may be called, by name.'),
    origins: names.describe('Web origins that may call, such as https://app.example.com.'),
    contracts: names.describe('Contract or program addresses that may be called.'),
  })
  .default({})
  .describe('What the key may be used for; an absent list restricts nothing.');

const key = z.strictObject({
  key: z
    .string()
    .regex(/^[\w-]{4,128}$/, 'invalid key, expected 4 to 128 letters, digits, - or _')
    .describe('The key, a secret: use ${ACME_KEY}. At least 16 characters in production.'),
  allow,
  expiresAt: z.iso
    .datetime({ error: 'invalid time, expected e.g. 2030-01-01T00:00:00Z' })
    .optional()
    .describe('When the key expires.'),
});

const creditsPerDay = positive.describe('Credits per UTC day.');
const callsPerSecond = positive.describe(
  'Calls per second, across all gateways that share the store.',
);

const account = z.strictObject({
  id: z.string().min(1),
  plan: z.string().min(1).describe('free, developer, team, custom, or one of `plans`.'),
  creditsPerDay: creditsPerDay.optional(),
  callsPerSecond: callsPerSecond.optional(),
  keys: z.array(key).default([]),
});

/** Overrides the document's plan of the same name, or adds a plan. */
const plan = z.strictObject({
  creditsPerDay: creditsPerDay.optional(),
  callsPerSecond: callsPerSecond.optional(),
  forwarding: z
    .boolean()
    .optional()
    .describe(
      'Whether calls may be forwarded to a partner when no upstream of a network can serve them.',
    ),
});

/** Compression of responses to clients that accept it. */
const compression = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether responses are compressed.'),
  brotliQuality: z
    .int()
    .min(0)
    .max(11)
    .default(1)
    .describe('0 to 11. Hexadecimal JSON gains almost nothing above 1.'),
  gzipLevel: z.int().min(1).max(9).default(1).describe('1 to 9. See brotliQuality.'),
});

type CompressionConfig = z.output<typeof compression>;

export const defaultCompression: CompressionConfig = compression.parse({});

const limits = z.strictObject(
  Object.fromEntries(
    Object.entries(publicLimits).map(([name, description]) => [
      name,
      positive.optional().describe(description),
    ]),
  ) as Record<PublicLimitName, z.ZodOptional<typeof positive>>,
);

const planName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'invalid name, expected lowercase letters, digits and hyphens');

/** The settings of a configuration; check-settings.ts checks how they combine. */
export const configSchema = z.strictObject({
  networks: z.array(network).min(1, 'expected at least one network'),
  plans: z
    .record(planName, plan)
    .default({})
    .describe("Overrides the document's plans or adds plans. Written to the store."),
  accounts: z
    .array(account)
    .default([])
    .describe(
      'Written to the store on start and reload; use `specgate accounts` to create other accounts.',
    ),
  store: z
    .string()
    .min(1)
    .default('.specgate/specgate.sqlite')
    .describe('sqlite:PATH, a path, or postgres://… if several machines share it.'),
  ops: address
    .default({ host: '127.0.0.1', port: 9090 })
    .describe('Health, readiness and metrics. Keep it private.'),
  docs: address
    .extend({
      folder: z
        .string()
        .min(1)
        .optional()
        .describe(
          "A site written by `specgate generate --target docs`; default: this service's own.",
        ),
    })
    .optional()
    .describe('The documentation; default: none.'),
  trustedProxies: z
    .array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
        error: 'invalid address or range, expected e.g. 127.0.0.1 or 10.0.0.0/8',
      }),
    )
    .default([])
    .describe(
      'Addresses, or ranges such as 10.0.0.0/8, of proxies whose X-Forwarded-Host is trusted.',
    ),
  log: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  monitorShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Fraction of results that are validated against the document, in the background.'),
  compression: compression
    .optional()
    .describe('Compression of responses for clients that accept it.'),
  limits: limits.default({}).describe('Limits; specgate.example.yaml lists all.'),
});

/** `limits` may set internal limits too, which a configuration file cannot. */
export type Config = Omit<z.output<typeof configSchema>, 'limits'> & {
  readonly limits: LimitOverrides;
};
export type NetworkConfig = Config['networks'][number];
export type AccountConfig = Config['accounts'][number];
