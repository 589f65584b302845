import { diffSettingsSchema } from '../diff/settings.ts';
import { lintSection } from '../lint/schema.ts';

/**
 * The sections of a project file that a module owns: name to schema. The module exports the schema and
 * reads the section.
 */
export const sections = {
  /** Rules of `specgate lint`. */
  lint: lintSection.prefault({}),
  /** What `specgate diff` minds. */
  diff: diffSettingsSchema,
};
