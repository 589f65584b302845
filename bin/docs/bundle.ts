import { join, posix, relative } from 'node:path';
import { build, transform, type Plugin } from 'esbuild';
import { siteFolder } from './assets.ts';

const TARGET = 'es2022';

/** For the bundles of the site: one file each, minified, in memory. */
const COMMON = {
  absWorkingDir: siteFolder,
  bundle: true,
  minify: true,
  write: false,
  target: TARGET,
  logLevel: 'silent',
  outdir: siteFolder,
} as const;

/**
 * The browser's code of a site, by its path there: `assets/theme.js`, which runs before the page is
 * painted, `assets/site.js`, and the parts that are loaded when they are needed. None imports a file:
 * a part that failed to load can be loaded again by a new URL, what it imports could not.
 */
export async function bundleBrowser(): Promise<ReadonlyMap<string, Uint8Array>> {
  const [theme, site] = await Promise.all([
    build({ ...COMMON, entryPoints: ['browser/theme.ts'], format: 'iife' }),
    build({
      ...COMMON,
      entryPoints: ['browser/site.ts', 'browser/search/dialog.ts', 'browser/try-it/console.ts'],
      entryNames: '[name]',
      format: 'esm',
    }),
  ]);
  return new Map(
    [...theme.outputFiles, ...site.outputFiles].map(({ path, contents }) => [
      join('assets', relative(siteFolder, path)).replaceAll('\\', '/'),
      contents,
    ]),
  );
}

const VALIDATORS = 'data/validators.js';
/** That, and what it imports. */
const VALIDATOR_FILES = 'data/validators';

/** The files of a site with its validators in one file, so that they can be loaded again as well. */
export async function bundleValidators(
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const source: Plugin = {
    name: 'rendered',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^/ }, ({ path, importer }) => ({
        path: posix.join(posix.dirname(importer), path),
        namespace: 'rendered',
      }));
      onLoad({ filter: /^/ }, ({ path }) => ({ contents: files.get(path)! }));
    },
  };
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [VALIDATORS],
    format: 'esm',
    plugins: [source],
  });
  return new Map([
    ...[...files].filter(([path]) => !path.startsWith(VALIDATOR_FILES)),
    [VALIDATORS, outputFiles[0]!.text],
  ]);
}

/** A style sheet without what only its author needs. */
export async function minifyStyles(text: string): Promise<string> {
  return (await transform(text, { loader: 'css', minify: true, target: TARGET })).code;
}
