/**
 * How long a documentation site takes to build, and what its pages weigh. `npm run bench:generate`
 * measures how a site grows with its document.
 *
 *   npm run bench:docs
 */
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ownGuides } from '../bin/docs/own-site.ts';
import { buildSite, type SiteFiles } from '../bin/docs/build-site.ts';
import type { GuideFolder } from '../bin/docs/assets.ts';
import { loadDocument } from '../generator/document.ts';
import { createTextReader, type TextReader } from '../generator/files/text.ts';
import { largeDocument } from './docs/large-document.ts';
import { weighPages } from './docs/page-weight.ts';
import { median } from './rounds.ts';

const ROUNDS = 3;
const LARGE_METHODS = 240;

const root = fileURLToPath(new URL('..', import.meta.url));

interface Subject {
  readonly name: string;
  readonly location: string;
  readonly reader: TextReader;
  readonly guides: GuideFolder;
}

const subjects: readonly Subject[] = [
  {
    name: 'our document and guides',
    location: 'openrpc.json',
    reader: createTextReader({ cwd: root }),
    guides: ownGuides(),
  },
  {
    name: `${LARGE_METHODS} methods`,
    location: 'large.json',
    reader: {
      read: (name) =>
        Promise.resolve({ name, url: `file:///${name}`, text: largeDocument(LARGE_METHODS) }),
    },
    guides: {},
  },
];

interface Build {
  readonly files: SiteFiles;
  /** Time of each step and of all, in milliseconds. */
  readonly steps: ReadonlyMap<string, number>;
  /** Of this process; the indexer and the bundler are processes of their own. */
  readonly cpu_ms: number;
}

/** Reads, renders, bundles and indexes, as `generate` does, but for writing. */
async function build({ location, reader, guides }: Subject): Promise<Build> {
  const steps = new Map<string, number>();
  const start_ms = performance.now();
  const before = process.cpuUsage();
  let last = { name: 'read', at_ms: start_ms };
  const onStep = (name: string): void => {
    const at_ms = performance.now();
    steps.set(last.name, (steps.get(last.name) ?? 0) + at_ms - last.at_ms);
    last = { name, at_ms };
  };
  const { model } = await loadDocument(location, reader);
  const files = await buildSite(model, { source: location, onStep, ...guides });
  onStep('end');
  const { user, system } = process.cpuUsage(before);
  return {
    files,
    steps: steps.set('all', performance.now() - start_ms),
    cpu_ms: (user + system) / 1000,
  };
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

console.log(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}; medians of ${ROUNDS} builds, in one process.\n`,
);
for (const subject of subjects) {
  const builds: Build[] = [];
  for (let round = 0; round < ROUNDS; round += 1) builds.push(await build(subject));
  const [{ files, steps }] = builds as [Build];
  console.log(`${subject.name}: ${files.size} files`);
  for (const name of steps.keys()) {
    const times = builds.map((each) => each.steps.get(name)!);
    console.log(`  ${name.padEnd(14)}${Math.round(median(times)).toString().padStart(7)} ms`);
  }
  const cpu_ms = median(builds.map((each) => each.cpu_ms));
  console.log(`  CPU           ${Math.round(cpu_ms).toString().padStart(7)} ms in this process`);
  const [heaviest, ...others] = weighPages(files);
  const middle = others[Math.floor(others.length / 2)] ?? heaviest!;
  for (const [what, page] of [
    ['heaviest page', heaviest!],
    ['median page', middle],
  ] as const) {
    const { path, html_bytes, css_bytes, js_bytes, total_bytes } = page;
    const parts = `HTML ${kilobytes(html_bytes)}, CSS ${kilobytes(css_bytes)}, JavaScript ${kilobytes(js_bytes)}`;
    console.log(`  ${what}: ${kilobytes(total_bytes)} gzip (${parts}): ${path}`);
  }
  console.log('');
}
