import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocsAssets, GuideSource } from '../../generator/targets/docs/assets.ts';

/** The hand-written part of documentation sites, in the repository and in the published package. */
export const siteFolder = fileURLToPath(new URL('../../docs-site/', import.meta.url));

export interface GuideFolder {
  /** Folder of Markdown files that become pages; their folders become sections. */
  readonly guides?: string;
  /** A file that becomes the page "changelog". */
  readonly changelog?: string;
  /** Folder of the document's releases, whose differences become the page "guides/changes". */
  readonly releases?: string;
  /** Pages that are rendered rather than read from the folder. */
  readonly pages?: readonly GuideSource[];
}

/** Reads templates, styles and, where some are named, guides. */
export async function loadAssets({
  guides,
  changelog,
  pages: rendered = [],
}: GuideFolder = {}): Promise<DocsAssets> {
  const texts = async (
    folder: string,
    pattern: string,
  ): Promise<[path: string, text: string][]> => {
    // Unlike a pattern, it says that there is no such folder.
    await readdir(folder);
    const paths = globSync(pattern, { cwd: folder }).sort();
    return Promise.all(
      paths.map(async (path): Promise<[string, string]> => [
        path.replaceAll('\\', '/'),
        await readFile(join(folder, path), 'utf8'),
      ]),
    );
  };
  const templates = await texts(join(siteFolder, 'templates'), '*.hbs');
  const styles = await texts(join(siteFolder, 'styles'), '*.css');
  const icons = await texts(join(siteFolder, 'assets'), '*.svg');
  const pages = guides === undefined ? [] : await texts(guides, '**/*.md');
  const guideSources: GuideSource[] = [
    ...pages.map(([path, text]) => ({ path, text })),
    ...rendered,
  ];
  if (changelog !== undefined) {
    guideSources.push({ path: 'changelog.md', text: await readFile(changelog, 'utf8') });
  }
  return {
    templates: new Map(templates.map(([path, text]) => [basename(path, '.hbs'), text])),
    files: new Map([
      // One style sheet, put together in the order of the files' names.
      ['assets/site.css', styles.map(([, text]) => text).join('\n')],
      ...icons.map(([path, text]): [string, string] => [`assets/${path}`, text]),
    ]),
    guides: guideSources,
  };
}
