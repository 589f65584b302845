import { diffSettingsSchema } from '../diff/settings.ts';
import { lintSection } from '../lint/schema.ts';

/**
 * The sections of a project file that belong to a room of their own: name to schema. The room
 * exports the schema and reads the section; here is only what joins them.
 */
export const sections = {
  /** Rules of `specgate lint`. */
  lint: lintSection.prefault({}),
  /** What `specgate diff` minds. */
  diff: diffSettingsSchema,
};
