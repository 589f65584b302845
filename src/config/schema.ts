import { z } from 'zod';
import { compression } from './compression-schema.ts';
import { defaultLimits, type Limits } from './limits.ts';

const port = z.int().min(0).max(65_535);
const positive = z.int().min(1);

const listen = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  /** 0: any free one. */
  port,
});

const upstream = z.strictObject({
  /** For logs and metrics; the URL may hold a secret and never shows up there. */
  name: z.string().min(1).optional(),
  url: z.url({
    protocol: /^(?:https?|wss?)$/,
    error: 'not an http(s) or ws(s) URL; write e.g. http://127.0.0.1:8545',
  }),
  headers: z.record(z.string(), z.string()).default({}),
  /** Whether it may compress its answers; yes when absent. Not worth its while on the same machine. */
  compression: z.boolean().optional(),
  /** How much of the load it takes beside the others. */
  weight: z.number().positive().default(1),
  /** Upstreams of the lowest tier are asked as long as one of them can. */
  tier: positive.default(1),
  /** What it may be asked, by this instance. */
  budget: z
    .strictObject({ callsPerSecond: positive.optional(), callsPerDay: positive.optional() })
    .default({}),
});

const network = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'not a name; use lower case letters, digits and hyphens'),
  family: z.enum(['evm', 'svm'], { error: 'not a family; write evm or svm' }),
  listen,
  /** Chain id (evm) or genesis hash (svm); a network of one upstream is what that one says. */
  identity: z.union([z.string(), z.int().transform(String)]).optional(),
  upstreams: z.array(upstream).min(1, 'a network needs at least one upstream'),
  /** Asked in place of the network's own upstreams, for calls and plans that qualify. */
  partner: upstream.optional(),
  /** Blocks an upstream may be behind the highest one; as is usual for the family when absent. */
  lagBlocks: positive.optional(),
  /** After how long a second upstream is asked beside a slow one; never when absent. */
  hedgeAfterMs: positive.optional(),
});

const allow = z.strictObject({
  methods: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  origins: z.array(z.string()).optional(),
  contracts: z.array(z.string()).optional(),
});

const key = z.strictObject({
  key: z.string().regex(/^[\w-]{4,128}$/, 'not a key; use 4 to 128 letters, digits, - or _'),
  allow: allow.default({}),
  expiresAt: z.iso.datetime({ error: 'not a moment; write e.g. 2030-01-01T00:00:00Z' }).optional(),
});

const account = z.strictObject({
  id: z.string().min(1),
  plan: z.string().min(1),
  creditsPerDay: positive.optional(),
  callsPerSecond: positive.optional(),
  keys: z.array(key).default([]),
});

const limits = z.strictObject(
  Object.fromEntries(
    Object.keys(defaultLimits).map((name) => [name, positive.optional()]),
  ) as Record<keyof Limits, z.ZodOptional<typeof positive>>,
);

/** Networks are told apart by their names, in allow-lists, logs and metrics. */
function refuseTwins(
  networks: readonly { readonly name: string }[],
  context: { addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void },
): void {
  for (const [index, { name }] of networks.entries()) {
    if (networks.findIndex((other) => other.name === name) === index) continue;
    const message = `there is another network ${name}; name it otherwise`;
    context.addIssue({ code: 'custom', path: [index, 'name'], message });
  }
}

/** Of several machines one may be of another chain; if that one answered first, it would decide. */
function demandIdentity(
  networks: readonly {
    readonly identity?: string | undefined;
    readonly upstreams: readonly unknown[];
    readonly partner?: unknown;
  }[],
  context: { addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void },
): void {
  for (const [index, { identity, upstreams, partner }] of networks.entries()) {
    if (identity !== undefined || (upstreams.length < 2 && partner === undefined)) continue;
    const message =
      'missing; with a partner or several upstreams, say which chain all of them have to be of: ' +
      'identity: <chain id, or genesis hash>';
    context.addIssue({ code: 'custom', path: [index, 'identity'], message });
  }
}

/** All an operator sets. */
export const configSchema = z.strictObject({
  networks: z
    .array(network)
    .min(1, 'there must be at least one network')
    .superRefine(refuseTwins)
    .superRefine(demandIdentity),
  accounts: z.array(account).default([]),
  /** `sqlite:PATH`, a path, or `postgres://…` when several gateways share it. */
  store: z.string().min(1).default('.specgate/specgate.sqlite'),
  ops: listen.default({ host: '127.0.0.1', port: 9090 }),
  docs: listen.optional(),
  log: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Of all results, how many are held to the document, off the path of the call. */
  monitorShare: z.number().min(0).max(1).default(0.01),
  /** Of answers, for callers that accept it. */
  compression: compression.optional(),
  limits: limits.default({}),
});

export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;
export type NetworkConfig = Config['networks'][number];
