import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { loadDocument } from '../../generator/document.ts';
import { createTextReader } from '../../generator/files/text.ts';
import { renderKindsPage } from '../../generator/diff/kinds/page.ts';
import { renderRulesPage } from '../../generator/lint/page.ts';
import { siteFolder, type GuideFolder } from './assets.ts';
import { buildSite } from './build-site.ts';
import { writeSite } from './write-site.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Output folder of our own site. */
const folder = join(siteFolder, 'dist');

/** The inputs of our own site; it is rebuilt when one of them changes. */
const INPUTS = [
  'openrpc.json',
  'CHANGELOG.md',
  'released/*',
  'docs-site/{templates,styles,assets,browser,content}/**/*.*',
  'common/**/*.*',
  'generator/**/*.*',
  'bin/docs/*',
];

/** Whether this is the compiled package, which includes the site. */
const isPackage = !import.meta.url.endsWith('.ts');

/** The guides, changelog, releases and reference pages of our own site. */
export const ownGuides = (): GuideFolder => ({
  guides: join(siteFolder, 'content'),
  changelog: join(root, 'CHANGELOG.md'),
  releases: join(root, 'released'),
  pages: [
    { path: 'toolchain/lint-rules.md', text: renderRulesPage() },
    { path: 'toolchain/diff-changes.md', text: renderKindsPage() },
  ],
});

const WORKER = `./own-site-worker${isPackage ? '.js' : '.ts'}`;

const STAMP = 'data/inputs.txt';

/**
 * Builds our own site unless it is up to date. It runs in a worker, because the main thread answers calls;
 * the worker does not keep the process alive.
 */
export async function prepareOwnSite(): Promise<void> {
  const found = await readFile(join(folder, STAMP), 'utf8').catch(() => null);
  if (found !== null && (isPackage || found === (await stampInputs()))) return;
  const worker = new Worker(new URL(WORKER, import.meta.url));
  worker.unref();
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`building the documentation failed with exit code ${code}`));
    });
  });
}

export async function buildOwnSite(out = folder): Promise<void> {
  const stamp = await stampInputs();
  const { model } = await loadDocument(join(root, 'openrpc.json'), createTextReader());
  const files = await buildSite(model, { source: 'openrpc.json', ...ownGuides() });
  await writeSite(out, files);
  // Written last, so that an incomplete site is built again.
  await writeFile(join(out, STAMP), stamp);
}

async function stampInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const path of globSync(INPUTS, { cwd: root }).sort()) {
    hash.update(`${path}\n`).update(await readFile(join(root, path)));
  }
  return hash.digest('hex');
}
