import { severities } from '../../common/diagnostic.ts';
import { z } from 'zod';
import { isSchema, type Schema } from '../../common/json/value.ts';
import type { Levels } from '../levels/levels.ts';
import { overridesOf, settingSchema } from '../levels/schema.ts';
import { presets } from './rule.ts';

const schema = z.custom<Schema>(isSchema, 'expected a JSON Schema: an object or a boolean');

/** A rule of a project: values at some places have to match a schema. */
const customRule = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'expected words in lower case with dashes'),
  level: z.enum(severities).default('error'),
  /** What is wrong where the rule is broken, as one sentence without a full stop. */
  message: z.string().min(1),
  fix: z.string().min(1).optional(),
  /** JSON pointer into the document, "*" for any member or item; references are followed. */
  at: z.string().regex(/^(?:\/|$)/, 'expected a JSON pointer, such as /methods/*/params/*'),
  /** Only values that match this JSON Schema are checked. */
  where: schema.optional(),
  /** The JSON Schema (draft-07) that the values have to match. */
  must: schema,
});

const rules = z.record(z.string(), settingSchema);

/** The section `lint` of a project file. Names of rules and options are checked elsewhere. */
export const lintSection = z.strictObject({
  extends: z
    .enum(
      presets,
      `expected ${presets.join(' or ')} (rulesets are listed in "extends" at the top level of the file)`,
    )
    .default('recommended')
    .describe('Preset of levels to start from; "rules" overrides it.'),
  rules: rules
    .default({})
    .describe('Maps the id of a rule to its level, or to a list of its level and its options.'),
  overrides: overridesOf(rules),
  baseline: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File of known findings, in the folder of this file or below; the path is relative to this file.',
    ),
  custom: z.array(customRule).max(1000).default([]).describe('Custom rules of the project.'),
});

export type CustomRule = z.output<typeof customRule>;

/** The section as code passes it on. */
export interface LintConfig
  extends Partial<Omit<z.output<typeof lintSection>, keyof Levels | 'custom'>>, Levels {
  readonly custom?: readonly CustomRule[];
}
