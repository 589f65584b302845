import { severities } from '../../common/diagnostic.ts';
import { z } from 'zod';
import { isSchema, type Schema } from '../../common/json/value.ts';
import { presets } from './rule.ts';

const level = z.enum(['off', ...severities]);

const options = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

const ruleSetting = z.union(
  [level, z.tuple([level, options])],
  `expected a level (${level.options.join(', ')}), or a list of one and options`,
);

const schema = z.custom<Schema>(isSchema, 'expected a JSON Schema: an object or a boolean');

const customRule = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'expected words in lower case with dashes'),
  level: z.enum(severities).default('error'),
  message: z.string().min(1),
  fix: z.string().min(1).optional(),
  at: z.string().regex(/^(?:\/|$)/, 'expected a JSON pointer, such as /methods/*/params/*'),
  where: schema.optional(),
  must: schema,
});

/** The section `lint` of a project file. Which rules and options there are is not looked at here. */
export const lintSection = z.strictObject({
  /** The severities to start from. */
  extends: z.enum(presets).default('recommended'),
  /** A level by the id of a rule, or a list of the level and the options of the rule. */
  rules: z.record(z.string(), ruleSetting).default({}),
  /** File of findings that are known, relative to where lint runs. */
  baseline: z.string().min(1).optional(),
  /** Rules of the project's own; see `CustomRule`. */
  custom: z.array(customRule).max(1000).default([]),
});
