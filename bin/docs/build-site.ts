import type { Comparable } from '../../generator/document.ts';
import type { Model } from '../../generator/model/model.ts';
import type { RenderOptions } from '../../generator/output/render.ts';
import type { SearchRecord } from '../../generator/targets/docs/page.ts';
import type { SitePlace } from '../../generator/targets/docs/assets.ts';
import { createDocs, SEARCH_RECORDS } from '../../generator/targets/docs/target.ts';
import { loadAssets, type GuideFolder } from './assets.ts';
import { bundleBrowser, bundleValidators, minifyStyles, VALIDATOR_FILES } from './bundle.ts';
import { renderReleases, type LoadRelease } from './releases.ts';
import { indexRecords } from './search-index.ts';

export type SiteFiles = ReadonlyMap<string, Uint8Array>;

interface SiteOptions extends RenderOptions, GuideFolder, SitePlace {
  /** The broken parts that were left out of the Model. */
  readonly omissions?: Comparable['omissions'];
  /** Loads a release; by default, a broken one is an error. */
  readonly loadRelease?: LoadRelease;
}

/** Builds the documentation site of a Model and returns the contents of its files by path. */
export async function buildSite(
  model: Model,
  {
    releases,
    onStep = () => {},
    source,
    base = '/',
    omissions = [],
    loadRelease,
    ...folder
  }: SiteOptions,
): Promise<SiteFiles> {
  // The bundler is a separate process and runs in parallel with the renderer.
  const scripts = bundleBrowser();
  scripts.catch(() => {});
  const assets = await loadAssets(folder);
  if (releases !== undefined) onStep('releases');
  const changes =
    releases === undefined
      ? []
      : [await renderReleases({ model, omissions }, releases, loadRelease)];
  const guides = [...changes, ...assets.guides];
  onStep('docs');
  const files = new Map<string, Uint8Array>();
  const sources = new Map<string, string>();
  const docs = createDocs({ ...assets, guides }, { base });
  for await (const [path, text] of docs.files(model, { source })) {
    if (path.startsWith(VALIDATOR_FILES)) sources.set(path, text);
    else files.set(path, Buffer.from(path.endsWith('.css') ? await minifyStyles(text) : text));
  }
  onStep('validators');
  for (const [path, text] of await bundleValidators(sources)) files.set(path, Buffer.from(text));
  onStep('search index');
  const records = JSON.parse(String(files.get(SEARCH_RECORDS))) as readonly SearchRecord[];
  return new Map([...files, ...(await scripts), ...(await indexRecords(records))]);
}
