import { z } from 'zod';
import { targetNames } from '../targets/names.ts';
import { sections } from './sections.ts';

/** Names a project file may have, the first that is there is read. */
export const projectFiles = [
  'specgate.config.yaml',
  'specgate.config.yml',
  'specgate.config.json',
] as const;

const documentSchema = z.strictObject({
  /** Path, relative to the project file, or URL. */
  document: z.string().min(1),
  /** Folder of what is generated, relative to the project file. */
  out: z.string().min(1).default('generated'),
  /** All of them where left out. */
  targets: z.array(z.enum(targetNames)).min(1).optional(),
  options: z
    .strictObject({
      /** Go on where a reference cannot be read, with a schema in its place that allows anything. */
      allow_unresolved: z.boolean().default(false),
    })
    .prefault({}),
});

/** What `specgate.config.yaml` may say, and what holds where it is silent. */
export const projectSchema = z.strictObject({
  documents: z.array(documentSchema).max(100).default([]),
  ...sections,
});

export type Project = z.output<typeof projectSchema>;

export type ProjectDocument = Project['documents'][number];
