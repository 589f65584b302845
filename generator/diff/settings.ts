import { z } from 'zod';

const day = z.iso.date();

/** A change that is meant, in spite of what it breaks. */
const approvalSchema = z.strictObject({
  /** Id of the kind. */
  kind: z.string().min(1),
  /** The method it touches; any where left out. */
  method: z.string().min(1).optional(),
  /** A JSON pointer, of either document, that it is at or below; any where left out. */
  pointer: z.string().regex(/^\//, 'a JSON pointer: it starts with /').optional(),
  /** Why it is meant. */
  reason: z.string().min(1),
  /** The last day it is approved on: YYYY-MM-DD. */
  until: day,
});

export const failLevels = ['breaking', 'warning', 'info', 'never'] as const;
export type FailOn = (typeof failLevels)[number];

/** The `diff` section of a project file. */
export const diffSettingsSchema = z
  .strictObject({
    fail_on: z.enum(failLevels).default('breaking'),
    strictness: z.enum(['wire', 'source']).default('wire'),
    approved: z.array(approvalSchema).max(1000).default([]),
  })
  .prefault({});

export type DiffSettings = z.output<typeof diffSettingsSchema>;
export type Approval = DiffSettings['approved'][number];
