import { z } from 'zod';
import { positive } from './network-schema.ts';

const names = z.array(z.string().min(1)).optional();

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
const callsPerSecond = positive.describe('Calls per second, over all gateways of the store.');

export const account = z.strictObject({
  id: z.string().min(1),
  plan: z.string().min(1).describe('free, developer, team, custom, or one of `plans`.'),
  creditsPerDay: creditsPerDay.optional(),
  callsPerSecond: callsPerSecond.optional(),
  keys: z.array(key).default([]),
});

/** Overrides the document's plan of the same name, or adds a plan. */
export const plan = z.strictObject({
  creditsPerDay: creditsPerDay.optional(),
  callsPerSecond: callsPerSecond.optional(),
  forwarding: z
    .boolean()
    .optional()
    .describe('Whether calls may be forwarded to a partner when a network cannot answer.'),
});
