import { z } from 'zod';
import { diffSection } from '../diff/settings.ts';
import { lintSection } from '../lint/schema.ts';
import { BASE } from '../targets/docs/assets.ts';
import { PACKAGE_NAME } from '../targets/client-view/package.ts';
import { targetNames } from '../targets/index.ts';

const path = z.string().min(1);

const documentSchema = z
  .strictObject({
    document: path.describe('Path of an OpenRPC document, relative to this file, or its URL.'),
    out: path
      .optional()
      .describe(
        'Output folder, relative to this file: "generated" by default, or "docs" for the docs target.',
      ),
    targets: z
      .array(z.enum([...targetNames, 'docs']))
      .optional()
      .describe(
        'Targets to generate, by default the TypeScript targets; [] for a document that is only linted and compared.',
      ),
    options: z
      .strictObject({
        lenient: z
          .boolean()
          .default(false)
          .describe('Leave out the broken parts of the document, with a warning for each.'),
        package_name: z
          .string()
          .regex(
            PACKAGE_NAME,
            'expected an npm package name, such as "node-client" or "@acme/node-client"',
          )
          .optional()
          .describe('Name of the client packages, with or without a scope.'),
        guides: path.optional().describe('For docs: folder of Markdown files.'),
        changelog: path.optional().describe('For docs: Markdown file of the changelog.'),
        releases: path.optional().describe('For docs: folder of released documents.'),
        base: z
          .string()
          .regex(BASE, 'expected a path with a slash at both ends, such as "/docs/"')
          .optional()
          .describe('For docs: path of the site on its host.'),
      })
      .prefault({}),
  })
  .transform(({ out, ...document }) => ({
    ...document,
    out: out ?? (isSite(document) ? 'docs' : 'generated'),
  }));

/** Checks whether a document's documentation is generated, which requires a folder of its own. */
export function isSite({ targets }: { readonly targets?: readonly string[] | undefined }): boolean {
  return targets?.includes('docs') === true;
}

/** Checks whether anything is generated from a document. */
export function isGenerated({
  targets,
}: {
  readonly targets?: readonly string[] | undefined;
}): boolean {
  return targets?.length !== 0;
}

/** The schema of `specgate.config.yaml`. */
export const projectSchema = z.strictObject({
  $schema: z.string().optional().describe('Location of this schema, for editors.'),
  extends: z
    .union(
      [path, z.array(path).max(100)],
      'expected a path, the name of a package, or a list of them',
    )
    .optional()
    .describe(
      'Rulesets (files with settings of lint and diff): npm packages, or paths that start with ./ and are relative to this file. Later rulesets override earlier ones, and this file overrides them all.',
    ),
  documents: z
    .array(documentSchema)
    .max(100)
    .default([])
    .describe('The documents of the repository, and what is generated from each.'),
  resolve: z
    .union([path.transform((each) => [each]), z.array(path), z.record(z.string(), path)])
    .default([])
    .describe(
      'Local copies of schemas that documents refer to by URL: either folders, whose files are found by their $id, or a map from URLs to paths. A URL that ends with a slash is a prefix. Paths are relative to this file.',
    ),
  lint: lintSection.prefault({}).describe('Settings of specgate lint.'),
  diff: diffSection.prefault({}).describe('Settings of specgate diff.'),
});

/** The schema of a ruleset: the settings that do not belong to one repository. */
export const rulesetSchema = projectSchema.pick({ $schema: true, extends: true }).extend({
  lint: lintSection.pick({ extends: true, rules: true, overrides: true, custom: true }).optional(),
  diff: diffSection.omit({ approved: true }).optional(),
});

export type Project = z.output<typeof projectSchema>;

/** Returns the text of specgate.config.schema.json, the JSON Schema of a project file (draft-07). */
export function renderProjectSchema(): string {
  const schema = z.toJSONSchema(projectSchema, {
    io: 'input',
    target: 'draft-7',
    // A JSON Schema within a custom rule.
    unrepresentable: 'any',
  });
  return `${JSON.stringify({ ...schema, title: 'specgate.config.yaml' }, null, 2)}\n`;
}
