import { gzipSync } from 'node:zlib';
import type { SiteFiles } from '../../bin/docs/build-site.ts';

/** What a reader's browser loads for a page before anything is done on it; bytes, gzip. */
export interface PageWeight {
  readonly path: string;
  readonly html_bytes: number;
  readonly css_bytes: number;
  readonly js_bytes: number;
  readonly total_bytes: number;
}

/** The weight of every page, the heaviest first. */
export function weighPages(files: SiteFiles): readonly PageWeight[] {
  const weigh = (path: string): number => gzipSync(files.get(path) ?? new Uint8Array()).length;
  const css_bytes = weigh('assets/site.css');
  const js_bytes = startScripts(files).reduce((sum, path) => sum + weigh(path), 0);
  return [...files.keys()]
    .filter((path) => path.endsWith('.html'))
    .map((path) => {
      const html_bytes = weigh(path);
      return {
        path,
        html_bytes,
        css_bytes,
        js_bytes,
        total_bytes: html_bytes + css_bytes + js_bytes,
      };
    })
    .toSorted((a, b) => b.total_bytes - a.total_bytes);
}

/** What the page names, and what that imports at once; `import(…)` comes when it is needed. */
export function startScripts(files: SiteFiles): readonly string[] {
  const found = new Set(['assets/theme.js', 'assets/site.js']);
  for (const path of found) {
    const text = Buffer.from(files.get(path) ?? []).toString();
    for (const [, name] of text.matchAll(/(?:^|[;}\s])(?:import|export)[^;("]*?"\.\/([^"]+)"/g)) {
      found.add(`assets/${name}`);
    }
  }
  return [...found];
}
