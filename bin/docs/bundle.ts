import { join, posix, relative } from 'node:path';
import { build, transform, type Plugin } from 'esbuild';
import { siteFolder } from './assets.ts';

const TARGET = 'es2022';

/** Options of every bundle: one minified file, in memory. */
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
 * Bundles the browser code of a site, by path: `assets/theme.js`, which runs before the first paint,
 * `assets/site.js`, and the parts that are loaded on demand. None imports another file: a part that
 * failed to load can be loaded again from a new URL, but its imports cannot.
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
/** Prefix of the validators and their imports. */
export const VALIDATOR_FILES = 'data/validators';

/** Bundles the validators of a site into one file, so that they can be loaded again too. */
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

export async function minifyStyles(text: string): Promise<string> {
  return (await transform(text, { loader: 'css', minify: true, target: TARGET })).code;
}
