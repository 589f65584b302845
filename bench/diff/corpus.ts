import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseExact, printExact } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import { toBundled } from './document.ts';
import { richDocument } from './rich-document.ts';
import { unionDocument } from './union-document.ts';

/** A document as mutable JSON. */
export type PlainDocument = Record<string, unknown> & { methods: PlainMethod[] };

export type PlainMethod = Record<string, unknown> & { name: string; params: PlainParam[] };

export type PlainParam = Record<string, unknown> & { name: string; required?: boolean };

export interface CorpusDocument {
  readonly name: string;
  readonly document: PlainDocument;
}

const require = createRequire(import.meta.url);

/** Documents of three published packages. */
const PUBLIC = [
  ['@metamask/api-specs', 'dist/build/openrpc.json'],
  ['@metamask/api-specs', 'dist/build/multichain-openrpc.json'],
  ['@firebolt-js/sdk', 'dist/firebolt-core-open-rpc.json'],
  ...[
    'link-example',
    'api-with-examples',
    'simple-math',
    'petstore-expanded',
    'petstore',
    'params-by-name-petstore',
  ].map(
    (name) => ['@open-rpc/examples', `build/service-descriptions/${name}-openrpc.json`] as const,
  ),
] as const;

/**
 * Reads our own document, public ones, one with every feature, and one of nested unions. `plain`
 * rounds numbers beyond 2^53: copies of exact numbers would not be equal to them.
 */
export async function readCorpus(
  numbers: 'plain' | 'exact' = 'plain',
): Promise<readonly CorpusDocument[]> {
  const read = (path: string): unknown => parseExact(readFileSync(path, 'utf8'));
  const own = join(import.meta.dirname, '../../openrpc.json');
  const documents = [
    { name: 'openrpc.json', document: read(own) },
    ...PUBLIC.map(([name, path]) => ({
      name: `${name}/${path.split('/').at(-1)!}`,
      document: read(join(folderOf(name), path)),
    })),
    { name: 'rich document', document: richDocument },
    { name: 'document of unions', document: unionDocument },
  ];
  return Promise.all(
    documents.map(async ({ name, document }) => {
      const bundled = (await toBundled(document)) as Json;
      const kept = numbers === 'exact' ? bundled : (JSON.parse(printExact(bundled, 0)) as unknown);
      return { name, document: kept as PlainDocument };
    }),
  );
}

function folderOf(name: string): string {
  const folders = (require.resolve.paths(name) ?? []).map((path) => join(path, name));
  return folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? name;
}
