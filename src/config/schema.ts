import { z } from 'zod';
import { account, plan } from './account-schema.ts';
import { compression } from './compression-schema.ts';
import { limitNotes } from './limit-notes.ts';
import { defaultLimits, type LimitName } from './limits.ts';
import { address, network, positive } from './network-schema.ts';

const limits = z.strictObject(
  Object.fromEntries(
    Object.keys(defaultLimits).map((name) => [
      name,
      positive.optional().describe(limitNotes[name as LimitName]),
    ]),
  ) as Record<LimitName, z.ZodOptional<typeof positive>>,
);

const planName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'not a name; use lower case letters, digits and hyphens');

/** All an operator sets, each setting for itself; how they go together: see check-settings.ts. */
export const configSchema = z.strictObject({
  networks: z.array(network).min(1, 'there must be at least one network'),
  plans: z
    .record(planName, plan)
    .default({})
    .describe('Replaces what the document says of a plan, or adds one. Goes to the store.'),
  accounts: z
    .array(account)
    .default([])
    .describe('Written to the store at start and reload; `specgate accounts` makes others.'),
  store: z
    .string()
    .min(1)
    .default('.specgate/specgate.sqlite')
    .describe('sqlite:PATH, a path, or postgres://… when several machines share it.'),
  ops: address
    .default({ host: '127.0.0.1', port: 9090 })
    .describe('Health, readiness and metrics. Not for the outside.'),
  docs: address
    .extend({
      folder: z
        .string()
        .min(1)
        .optional()
        .describe('A site made by `specgate generate --target docs`; ours when absent.'),
    })
    .optional()
    .describe('The documentation; none when absent.'),
  trustedProxies: z
    .array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
        error: 'not an address or range; write e.g. 127.0.0.1 or 10.0.0.0/8',
      }),
    )
    .default([])
    .describe('Addresses, or ranges such as 10.0.0.0/8, whose X-Forwarded-Host is believed.'),
  log: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  monitorShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Of all results, how many are held to the document, off the path of the call.'),
  compression: compression.optional().describe('Of answers, for callers that accept it.'),
  limits: limits.default({}).describe('Bounds; see the list of all in specgate.example.yaml.'),
});

export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;
export type NetworkConfig = Config['networks'][number];
export type AccountConfig = Config['accounts'][number];
