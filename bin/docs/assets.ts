import { globSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTextReader } from '../../generator/files/text.ts';
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
  /** Pages whose Markdown is generated. */
  readonly pages?: readonly GuideSource[];
}

/** Reads templates, styles and guides. */
export async function loadAssets(options: GuideFolder = {}): Promise<DocsAssets> {
  const { guides, changelog, pages = [] } = options;
  const templates = await readTexts(join(siteFolder, 'templates'), '*.hbs');
  const styles = await readTexts(join(siteFolder, 'styles'), '*.css');
  const icons = await readTexts(join(siteFolder, 'assets'), '*.svg');
  const written = guides === undefined ? [] : await readTexts(guides, '**/*.md');
  return {
    templates: new Map(templates.map(({ path, text }) => [basename(path, '.hbs'), text])),
    files: new Map([
      // One style sheet, in the order of the files' names.
      ['assets/site.css', styles.map(({ text }) => text).join('\n')],
      ...icons.map(({ path, text }): [string, string] => [`assets/${path}`, text]),
    ]),
    guides: [
      ...written,
      ...pages,
      ...(changelog === undefined
        ? []
        : [{ path: 'changelog.md', text: await readText(changelog) }]),
    ],
  };
}

async function readTexts(folder: string, pattern: string): Promise<readonly GuideSource[]> {
  // Unlike globSync, fails for a missing folder.
  await readdir(folder);
  const paths = globSync(pattern, { cwd: folder }).sort();
  return Promise.all(
    paths.map(async (path) => ({
      path: path.replaceAll('\\', '/'),
      text: await readText(join(folder, path)),
    })),
  );
}

/** @throws DocumentError for anything but a file of bounded size: reading a pipe may never end */
async function readText(path: string): Promise<string> {
  return (await createTextReader().read(pathToFileURL(path).href)).text;
}
