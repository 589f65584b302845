import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { generateOurs, generateTheirs, type Component } from './tools.ts';

export interface ArtifactRow {
  readonly artifact: string;
  readonly ours: 'written' | 'none';
  readonly theirs: 'written' | 'none';
}

const require = createRequire(import.meta.url);
const documentPath = join(
  dirname(require.resolve('@open-rpc/examples/package.json')),
  'build/service-descriptions/simple-math-openrpc.json',
);

/** What to ask either tool for: a target of ours, a component of theirs. */
const artifacts: readonly (readonly [artifact: string, target: string, component: Component])[] = [
  ['a client in TypeScript', 'client', { type: 'client', language: 'typescript' }],
  ['a client in Python', 'python', { type: 'client', language: 'python' }],
  ['a client in Rust', 'rust', { type: 'client', language: 'rust' }],
  ['a server in TypeScript', 'server', { type: 'server', language: 'typescript' }],
  ['a documentation site', 'docs', { type: 'docs', language: 'gatsby' }],
];

/** Asks both tools for artifacts of one document. */
export async function compareArtifacts(folder: string): Promise<readonly ArtifactRow[]> {
  const rows: ArtifactRow[] = [];
  for (const [artifact, target, component] of artifacts) {
    const own = join(folder, `artifact-${rows.length}`);
    await mkdir(own);
    await copyFile(documentPath, join(own, 'openrpc.json'));
    rows.push({
      artifact,
      ours: (await generateOurs(own, target)) === undefined ? 'written' : 'none',
      theirs: (await generateTheirs(own, component)) === undefined ? 'written' : 'none',
    });
  }
  return rows;
}
