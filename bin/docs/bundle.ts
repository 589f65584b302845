import { join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import { siteFolder } from './assets.ts';

const TARGET = 'es2022';

/**
 * The browser's code of a site, by its path there: `assets/theme.js`, which runs before the page is
 * painted, `assets/site.js`, and the parts that are loaded when they are needed, named by their content.
 */
export async function bundleBrowser(): Promise<ReadonlyMap<string, Uint8Array>> {
  const common = {
    absWorkingDir: siteFolder,
    bundle: true,
    minify: true,
    write: false,
    target: TARGET,
    logLevel: 'silent',
    outdir: siteFolder,
  } as const;
  const [theme, site] = await Promise.all([
    build({ ...common, entryPoints: ['browser/theme.ts'], format: 'iife' }),
    build({
      ...common,
      entryPoints: ['browser/site.ts'],
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
    }),
  ]);
  return new Map(
    [...theme.outputFiles, ...site.outputFiles].map(({ path, contents }) => [
      join('assets', relative(siteFolder, path)).replaceAll('\\', '/'),
      contents,
    ]),
  );
}

/** A style sheet without what only its author needs. */
export async function minifyStyles(text: string): Promise<string> {
  return (await transform(text, { loader: 'css', minify: true, target: TARGET })).code;
}
