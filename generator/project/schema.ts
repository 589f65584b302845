import { z } from 'zod';
import { BASE } from '../targets/docs/assets.ts';
import { targetNames } from '../targets/index.ts';
import { sections } from './sections.ts';

/** Names a project file may have, the first that is there is read. */
export const projectFiles = [
  'specgate.config.yaml',
  'specgate.config.yml',
  'specgate.config.json',
] as const;

const path = z.string().min(1);

const documentSchema = z
  .strictObject({
    /** Path, relative to the project file, or URL. */
    document: path,
    /** Folder of what is generated, relative to the project file. */
    out: path.optional(),
    /** The TypeScript targets where left out. */
    targets: z
      .array(z.enum([...targetNames, 'docs']))
      .min(1)
      .optional(),
    options: z
      .strictObject({
        /** Go on where a reference cannot be followed, with a schema in its place that allows anything. */
        allow_unresolved: z.boolean().default(false),
        /** Of the docs, relative to the project file: folder of Markdown files, a file, folder of releases. */
        guides: path.optional(),
        changelog: path.optional(),
        releases: path.optional(),
        /** Of the docs: path the site is put below. */
        base: z.string().regex(BASE, 'begins and ends with a slash, as "/docs/"').optional(),
      })
      .prefault({}),
  })
  .transform(({ out, ...document }) => ({
    ...document,
    out: out ?? (isSite(document) ? 'docs' : 'generated'),
  }));

/** True for a document of which the documentation is made, which has a folder of its own. */
export function isSite({ targets }: { readonly targets?: readonly string[] | undefined }): boolean {
  return targets?.includes('docs') === true;
}

/** What `specgate.config.yaml` may say, and what holds where it is silent. */
export const projectSchema = z.strictObject({
  documents: z.array(documentSchema).max(100).default([]),
  ...sections,
});

export type Project = z.output<typeof projectSchema>;

export type ProjectDocument = Project['documents'][number];
