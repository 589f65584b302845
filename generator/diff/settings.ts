import { z } from 'zod';

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

/** The `diff` section of a project file. */
export const diffSettingsSchema = z
  .strictObject({
    fail_on: z.enum(failLevels).default('breaking'),
    strictness: z.enum(['wire', 'source']).default('wire'),
    undecided: z.enum(['error', 'warning']).default('warning'),
    approved: z.array(approvalSchema).max(1000).default([]),
  })
  .prefault({});

export type Approval = z.output<typeof approvalSchema>;
