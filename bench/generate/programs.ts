import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { linkedDocument } from '../docs/linked-document.ts';

const require = createRequire(import.meta.url);
const specgate = fileURLToPath(new URL('../../bin/specgate.js', import.meta.url));
const official = join(dirname(require.resolve('@open-rpc/generator/package.json')), 'build/cli.js');

/** What is measured for each number of methods: arguments of Node, in a folder of `prepare`. */
export const programs: Readonly<Record<string, readonly string[]>> = {
  lint: [specgate, 'lint', 'openrpc.json', '--max-warnings', '1000000'],
  generate: [specgate, 'generate', 'openrpc.json', '--out', 'generated'],
  diff: [specgate, 'diff', 'before.json', 'openrpc.json'],
  docs: [specgate, 'generate', 'openrpc.json', '--target', 'docs', '--out', 'docs'],
  '@open-rpc/generator': [official, 'generate', '-c', 'components.json'],
};

/** Commands on the project of this repository. */
export const coldPrograms: Readonly<Record<string, readonly string[]>> = {
  'lint openrpc.json': [specgate, 'lint', 'openrpc.json'],
  check: [specgate, 'check'],
};

/** Writes a linked document, an earlier version of it, and the settings of the official generator. */
export function prepare(folder: string, methods: number): void {
  const text = linkedDocument(methods);
  const components = [{ type: 'client', language: 'typescript', name: 'theirs' }];
  const config = { openrpcDocument: './openrpc.json', outDir: 'theirs', components };
  writeFileSync(join(folder, 'openrpc.json'), text);
  writeFileSync(join(folder, 'before.json'), text.replaceAll('"maxLength":80', '"maxLength":70'));
  writeFileSync(join(folder, 'components.json'), JSON.stringify(config));
}

/** The heaviest page of a method in bytes, gzip. */
export function heaviestPage_bytes(folder: string): number {
  const pages = readdirSync(join(folder, 'docs/methods'), { recursive: true, encoding: 'utf8' });
  return pages
    .filter((path) => path.endsWith('.html'))
    .reduce((max, path) => {
      const { length } = gzipSync(readFileSync(join(folder, 'docs/methods', path)));
      return Math.max(max, length);
    }, 0);
}
