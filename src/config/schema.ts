import { z } from 'zod';
import { account, plan } from './account-schema.ts';
import { compression } from './compression-schema.ts';
import { publicLimits, type LimitOverrides, type PublicLimitName } from './limits.ts';
import { address, network, positive } from './network-schema.ts';

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
  .regex(/^[a-z][a-z0-9-]*$/, 'invalid name, expected lower case letters, digits and hyphens');

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
    .describe('Written to the store on start and reload; `specgate accounts` creates others.'),
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
    .describe('Addresses, or ranges such as 10.0.0.0/8, whose X-Forwarded-Host is trusted.'),
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
export type ConfigInput = z.input<typeof configSchema>;
export type NetworkConfig = Config['networks'][number];
export type AccountConfig = Config['accounts'][number];
