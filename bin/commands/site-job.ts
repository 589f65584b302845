import { InvalidArgumentError, Option } from 'commander';
import { baseNameOf, type TextReader } from '../../generator/files/text.ts';
import type { Update } from '../../generator/output/update.ts';
import { BASE } from '../../generator/targets/docs/assets.ts';
import type { Job } from './jobs.ts';
import { createProgress } from './progress.ts';
import { openDocument } from './render-job.ts';
import { warnOfSlowPatterns } from './slow-patterns.ts';

/** Options only the documentation has. */
export const guideOptions = {
  guides: () =>
    new Option('--guides <dir>', 'docs: folder of Markdown files that become pages of the site'),
  changelog: () => new Option('--changelog <file>', 'docs: Markdown file that becomes a page'),
  releases: () =>
    new Option(
      '--releases <dir>',
      'docs: folder of released documents; their changes become a page',
    ),
  base: () =>
    new Option('--base <path>', 'docs: path the site is put below, for its 404.html').argParser(
      (value) => {
        if (BASE.test(value)) return value;
        throw new InvalidArgumentError('It begins and ends with a slash, as "/docs/".');
      },
    ),
};

/** Writes the documentation site of a document into a folder. */
export async function generateSite(
  { document: spec, out, allowUnresolved, allowRemote, site }: Job,
  reader?: TextReader,
): Promise<Update & { readonly out: string }> {
  const { guides, changelog, releases, base } = site ?? {};
  // Loaded here: what bundles and indexes is large, and other targets have no use for it.
  const [{ buildSite }, { writeSite }] = await Promise.all([
    import('../docs/build-site.ts'),
    import('../docs/write-site.ts'),
  ]);
  const progress = createProgress();
  const loaded = await openDocument(spec, {
    allowUnresolved,
    allowRemote,
    ...(reader && { reader }),
  });
  // The console of a method checks parameters in the browser.
  warnOfSlowPatterns(loaded);
  const files = await buildSite(loaded.model, {
    source: baseNameOf(spec),
    allowRemote,
    onStep: progress.step,
    ...(guides === undefined ? {} : { guides }),
    ...(changelog === undefined ? {} : { changelog }),
    ...(releases === undefined ? {} : { releases }),
    ...(base === undefined ? {} : { base }),
  });
  progress.end();
  return { out, ...(await writeSite(out, files)) };
}
