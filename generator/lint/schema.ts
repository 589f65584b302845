import { z } from 'zod';
import { levels } from '../report/finding.ts';
import { presets } from './rule.ts';

const level = z.enum(['off', ...levels]);

const options = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** The section `lint` of a project file. Which rules and options there are is not looked at here. */
export const lintSection = z.strictObject({
  /** The levels to start from. */
  extends: z.enum(presets).default('recommended'),
  /** A level by the id of a rule, or a list of the level and the options of the rule. */
  rules: z.record(z.string(), z.union([level, z.tuple([level, options])])).default({}),
});
