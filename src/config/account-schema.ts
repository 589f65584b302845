import { z } from 'zod';
import { positive } from './network-schema.ts';

const names = z.array(z.string().min(1)).optional();

const allow = z
  .strictObject({
    methods: names.describe('Methods that may be called.'),
    networks: names.describe('Networks that may be called, by their names here.'),
    origins: names.describe('Web origins that may call, such as https://app.example.com.'),
    contracts: names.describe('Addresses that calls may be directed to.'),
  })
  .default({})
  .describe('What the key may be used for; an absent list restricts nothing.');

const key = z.strictObject({
  key: z
    .string()
    .regex(/^[\w-]{4,128}$/, 'not a key; use 4 to 128 letters, digits, - or _')
    .describe('A secret, so from the environment: ${ACME_KEY}. At least 16 letters in earnest.'),
  allow,
  expiresAt: z.iso
    .datetime({ error: 'not a moment; write e.g. 2030-01-01T00:00:00Z' })
    .optional()
    .describe('From when on it is refused.'),
});

const creditsPerDay = positive.describe('Credits each UTC day.');
const callsPerSecond = positive.describe('Calls a second, over all gateways of the store.');

export const account = z.strictObject({
  id: z.string().min(1),
  plan: z.string().min(1).describe('free, developer, team, custom, or one of `plans`.'),
  creditsPerDay: creditsPerDay.optional(),
  callsPerSecond: callsPerSecond.optional(),
  keys: z.array(key).default([]),
});

/** Terms that replace those of the document's plan of the same name, or make a new plan. */
export const plan = z.strictObject({
  creditsPerDay: creditsPerDay.optional(),
  callsPerSecond: callsPerSecond.optional(),
  forwarding: z
    .boolean()
    .optional()
    .describe('Whether calls may go to a partner when a network cannot answer.'),
});
