/** Documents of every kind that generating has to cope with: published ones, and ours of hard cases. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadModel } from '../../../generator/document.ts';
import { createTextReader } from '../../../generator/files/text.ts';
import type { Model } from '../../../generator/model/model.ts';
import { documentOf, methodOf, modelOf, type Document } from './document.ts';
import { hardDocument } from './hard-document.ts';

/** A document of the corpus. */
export interface CorpusDocument {
  readonly name: string;
  load(): Promise<Model>;
}

const examples = [
  'api-with-examples',
  'link-example',
  'params-by-name-petstore',
  'petstore',
  'petstore-expanded',
  'simple-math',
];

const own = [
  'combined.json',
  'discover.json',
  'empty.json',
  'recursive.json',
  'split/openrpc.yaml',
  'structures.yaml',
];

const require = createRequire(import.meta.url);
const packaged = (name: string) => dirname(require.resolve(`${name}/package.json`));
const root = fileURLToPath(new URL('../../..', import.meta.url));

export const corpus: readonly CorpusDocument[] = [
  ...examples.map((name) =>
    fileOf(
      name,
      join(packaged('@open-rpc/examples'), `build/service-descriptions/${name}-openrpc.json`),
    ),
  ),
  fileOf('metamask', join(packaged('@metamask/api-specs'), 'dist/build/openrpc.json')),
  fileOf(
    'metamask-multichain',
    join(packaged('@metamask/api-specs'), 'dist/build/multichain-openrpc.json'),
  ),
  fileOf('gateway', join(root, 'openrpc.json')),
  ...own.map((path) =>
    fileOf(path.replaceAll(/\W/g, '-'), join(root, 'test/generator/documents', path)),
  ),
  { name: 'hard', load: () => modelOf(hardDocument) },
];

function fileOf(name: string, path: string): CorpusDocument {
  return { name, load: () => loadModel(path, createTextReader()) };
}

/** A document of many methods and as many schemas, most of which refer to one another. */
export function largeDocument(methods: number): Document {
  const schemas = Array.from({ length: methods }, (_, index) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      next: { $ref: `#/components/schemas/Item${(index + 1) % methods}` },
      kind: { enum: ['a', 'b', `only ${index}`] },
    },
  }));
  return documentOf(
    schemas.map((_, index) =>
      methodOf(
        `group${index % 10}.item_${index}`,
        { $ref: `#/components/schemas/Item${index}` },
        { type: 'array', items: { $ref: `#/components/schemas/Item${index}` } },
      ),
    ),
    {
      components: {
        schemas: Object.fromEntries(schemas.map((schema, index) => [`Item${index}`, schema])),
      },
    },
  );
}
