import type { Model } from '../../generator/model/model.ts';
import { renderTargets, type RenderOptions } from '../../generator/output/render.ts';
import type { SearchRecord } from '../../generator/targets/docs/page.ts';
import type { SitePlace } from '../../generator/targets/docs/assets.ts';
import { createDocs, SEARCH_RECORDS } from '../../generator/targets/docs/target.ts';
import { loadAssets, type GuideFolder } from './assets.ts';
import { bundleBrowser, bundleValidators, minifyStyles } from './bundle.ts';
import { renderReleases } from './releases.ts';
import { indexRecords } from './search-index.ts';

export type SiteFiles = ReadonlyMap<string, Uint8Array>;

interface SiteOptions extends RenderOptions, GuideFolder, SitePlace {
  /** Releases may refer to any origin; see `LoadOptions`. */
  readonly allowRemote?: boolean;
}

/** Builds the documentation site of a Model: path to contents. */
export async function buildSite(
  model: Model,
  { releases, onStep = () => {}, source, base = '/', allowRemote = false, ...folder }: SiteOptions,
): Promise<SiteFiles> {
  // The bundler is a separate process, which runs in parallel with the renderer.
  const scripts = bundleBrowser();
  scripts.catch(() => {});
  const assets = await loadAssets(folder);
  if (releases !== undefined) onStep('releases');
  const changes =
    releases === undefined ? [] : [await renderReleases(model, releases, { allowRemote })];
  const guides = [...changes, ...assets.guides];
  const target = createDocs({ ...assets, guides }, { base });
  const texts = new Map(
    await bundleValidators(await renderTargets(model, [target], { source, onStep })),
  );
  onStep('search index');
  const records = JSON.parse(texts.get(SEARCH_RECORDS) ?? '[]') as readonly SearchRecord[];
  const index = indexRecords(records);
  index.catch(() => {});
  const files = new Map<string, Uint8Array>();
  for (const [path, text] of texts) {
    files.set(path, Buffer.from(path.endsWith('.css') ? await minifyStyles(text) : text));
    // A large site fits into memory once, not as texts and as bytes.
    texts.delete(path);
  }
  return new Map([...files, ...(await scripts), ...(await index)]);
}
