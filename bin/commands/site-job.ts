import { Option } from 'commander';
import { baseNameOf, type TextReader } from '../../generator/files/text.ts';
import type { Update } from '../../generator/output/update.ts';
import { createProgress } from './progress.ts';
import { openDocument } from './render-job.ts';

/** What the command line says of a documentation site. */
export interface SiteJobOptions {
  readonly out?: string;
  readonly guides?: string;
  readonly changelog?: string;
  readonly allowUnresolved?: boolean;
}

/** Options only the documentation has. */
export const guideOptions = {
  guides: () =>
    new Option('--guides <dir>', 'docs: folder of Markdown files that become pages of the site'),
  changelog: () => new Option('--changelog <file>', 'docs: Markdown file that becomes a page'),
};

/** `specgate generate --target docs`: writes the documentation site of a document into a folder. */
export async function generateSite(
  spec = 'openrpc.json',
  { out = 'docs', guides, changelog, allowUnresolved = false }: SiteJobOptions,
  reader?: TextReader,
): Promise<Update & { readonly out: string }> {
  // Loaded here: what bundles and indexes is large, and other targets have no use for it.
  const [{ buildSite }, { writeSite }] = await Promise.all([
    import('../docs/build-site.ts'),
    import('../docs/write-site.ts'),
  ]);
  const progress = createProgress();
  const { model } = await openDocument(spec, { allowUnresolved, ...(reader && { reader }) });
  const files = await buildSite(model, {
    source: baseNameOf(spec),
    onStep: progress.step,
    ...(guides === undefined ? {} : { guides }),
    ...(changelog === undefined ? {} : { changelog }),
  });
  progress.end();
  return { out, ...(await writeSite(out, files)) };
}
