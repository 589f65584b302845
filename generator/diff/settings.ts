import { z } from 'zod';
import { levelSchema, overridesOf } from '../levels/schema.ts';
import { didYouMean } from '../lint/rule.ts';
import { kinds } from './kinds/index.ts';

/** A breaking change that is intended. */
const approvalSchema = z.strictObject({
  /** Id of the kind. */
  kind: z.string().min(1),
  /** The affected method; any if omitted. */
  method: z.string().min(1).optional(),
  /** A JSON pointer into either document, at or above the change; any if omitted. */
  pointer: z.string().regex(/^\//, 'expected a JSON pointer, which starts with /').optional(),
  /** Why it is intended. */
  reason: z.string().min(1),
  /** The last day it is approved on: YYYY-MM-DD. */
  until: z.iso.date(),
});

export const failLevels = ['breaking', 'warning', 'info', 'never'] as const;
export type FailOn = (typeof failLevels)[number];

const kindIds: readonly string[] = kinds.map(({ id }) => id);

const kindId = z
  .string()
  .superRefine((id, context) => {
    if (kindIds.includes(id)) return;
    const { message, fix } = unknownKind(id);
    context.addIssue({ code: 'custom', message, params: { fix } });
  })
  // For completion in editors.
  .meta({ enum: kindIds });

const rules = z.record(kindId, levelSchema).meta({ id: 'kindLevels' });

/** The `diff` section of a project file. */
export const diffSection = z.strictObject({
  fail_on: z
    .enum(failLevels)
    .default('breaking')
    .describe('Exit with 1 on changes of this severity or higher; "breaking" is "error".'),
  strictness: z
    .enum(['wire', 'source'])
    .default('wire')
    .describe('What counts as breaking: changes on the wire, or also changes to generated code.'),
  undecided: z
    .enum(['error', 'warning'])
    .default('warning')
    .describe('Severity of undecided comparisons.'),
  rules: rules.default({}).describe('Maps the id of a kind of change to its level.'),
  overrides: overridesOf(rules),
  approved: z
    .array(approvalSchema)
    .max(1000)
    .default([])
    .describe('Breaking changes that are intended.'),
});

/** Returns the message for a kind that does not exist. */
export function unknownKind(id: string) {
  const { fix = 'specgate diff --list prints all of them' } = didYouMean(id, kindIds);
  return { message: `unknown kind of change "${id}"`, fix };
}

export type Approval = z.output<typeof approvalSchema>;
