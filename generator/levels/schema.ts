import { z } from 'zod';
import { severities } from '../../common/diagnostic.ts';

export const levelSchema = z.enum(['off', ...severities]);

const options = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** A level, or a level and options. */
export const settingSchema = z
  .union(
    [levelSchema, z.tuple([levelSchema, options])],
    `expected a level (${levelSchema.options.join(', ')}), or a list of a level and options`,
  )
  .meta({ id: 'setting' });

const AT =
  'JSON pointers (/components/schemas/Block) or names of methods (debug_*); * is any token, or any part of a name.';

/** Returns the schema of overrides of settings. */
export function overridesOf<Rules extends z.ZodType>(rules: Rules) {
  const at = z
    .union(
      [z.string(), z.array(z.string()).min(1).max(1000)],
      'expected a JSON pointer, a method name, or a list of them',
    )
    .describe(AT);
  return z
    .array(z.strictObject({ at, rules }))
    .max(1000)
    .default([])
    .describe('Settings of "rules" for parts of the document; later ones win.');
}
