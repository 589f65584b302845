import { z } from 'zod';
import { diffSettingsSchema } from '../diff/settings.ts';
import { lintSection } from '../lint/schema.ts';
import { BASE } from '../targets/docs/assets.ts';
import { PACKAGE_NAME } from '../targets/client-view/package.ts';
import { targetNames } from '../targets/index.ts';

const path = z.string().min(1);

const documentSchema = z
  .strictObject({
    /** Path, relative to the project file, or URL. */
    document: path,
    /** Output folder, relative to the project file. */
    out: path.optional(),
    /** The TypeScript targets by default; none for a document that is only linted and compared. */
    targets: z.array(z.enum([...targetNames, 'docs'])).optional(),
    options: z
      .strictObject({
        /** Treat unresolved references to schemas as schemas that allow any value. */
        allow_unresolved: z.boolean().default(false),
        /** Name of the client packages, with npm's scope. */
        package_name: z
          .string()
          .regex(PACKAGE_NAME, 'is a name of npm, such as "node-client" or "@acme/node-client"')
          .optional(),
        /** Of the docs, relative to the project file: folder of Markdown files, a file, folder of releases. */
        guides: path.optional(),
        changelog: path.optional(),
        releases: path.optional(),
        /** Of the docs: path of the site on its host. */
        base: z.string().regex(BASE, 'begins and ends with a slash, as "/docs/"').optional(),
      })
      .prefault({}),
  })
  .transform(({ out, ...document }) => ({
    ...document,
    out: out ?? (isSite(document) ? 'docs' : 'generated'),
  }));

/** Checks for a document whose documentation is generated, into a folder of its own. */
export function isSite({ targets }: { readonly targets?: readonly string[] | undefined }): boolean {
  return targets?.includes('docs') === true;
}

/** Checks for a document that something is generated from. */
export function isGenerated({
  targets,
}: {
  readonly targets?: readonly string[] | undefined;
}): boolean {
  return targets?.length !== 0;
}

/** The schema of `specgate.config.yaml`. */
export const projectSchema = z.strictObject({
  documents: z.array(documentSchema).max(100).default([]),
  /** Rules of `specgate lint`. */
  lint: lintSection.prefault({}),
  /** Settings of `specgate diff`. */
  diff: diffSettingsSchema,
});

export type Project = z.output<typeof projectSchema>;
