/** Shapes of public documents, and what partners read in the packages generated from them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDocument } from '../../../generator/document.ts';
import { renderTargets } from '../../../generator/output/render.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { documentOf, readerOf, type Document } from '../support/document.ts';
import { specgate, temporaryFolder } from '../support/folder.ts';
import { render } from '../support/render.ts';

/** The files of both client packages by their path, unformatted. */
async function packagesOf(document: Document) {
  const files = await render(document, 'client', 'python');
  return (end: string) => {
    const path = [...files.keys()].find((each) => each.endsWith(end));
    return files.get(path ?? '') ?? expect.fail(`no file ${end}`);
  };
}

describe('error classes', () => {
  const errors = [
    { code: 24, message: 'BLOCK_NOT_FOUND' },
    { code: 25, message: 'FORBIDDEN' },
    { code: 26, message: 'The request that was sent is larger than the maximum' },
  ];
  const document = documentOf([{ name: 'get', params: [], errors }]);

  test('of messages in capitals are words, and none ends within a word', async () => {
    const file = await packagesOf(document);
    for (const text of [file('client/src/errors.ts'), file('errors.py')]) {
      const names = new Set(text.match(/\b\w+Error\b/g));
      expect(names).toContain('BlockNotFoundError');
      expect(names).toContain('ForbiddenError');
      expect(names).toContain('TheRequestThatWasSentIsLargerThanError');
    }
  });
});

describe('comments', () => {
  const string = { type: 'string' };
  const bare = { name: 'bare', params: [{ name: 'id', schema: string }] };
  const described = {
    name: 'described',
    description: 'Gives the block of a height.',
    params: [
      { name: 'id', schema: { type: 'string', description: 'Height of the block.' } },
      { name: 'other', schema: string },
    ],
  };
  const result = { name: 'String', schema: string };
  const document = documentOf([bare, described].map((method) => ({ ...method, result })));

  test('say only what the document says', async () => {
    const file = await packagesOf(document);
    const client = file('client/src/client.ts');
    expect(client).not.toMatch(/Calls `|@returns|@param \w+ -?\s*$/m);
    expect(client).toContain(`/**
 * Gives the block of a height.
 *
 * @param id - Height of the block.
 */
described(`);
    const python = file('client.py');
    expect(python).not.toMatch(/Calls \w+\.|Returns:|^ +(?:id|other):\s*$/m);
    expect(python).toContain('id: Height of the block.\n');
    expect(file('client/src/types.ts')).not.toMatch(/^ \* - `\w+`$/m);
  });
});

describe('the name of the packages', () => {
  const titled = (title: string) => documentOf([], { info: { title, version: '1.0.0' } });
  const nameOf = async (title: string) =>
    (JSON.parse((await packagesOf(titled(title)))('client/package.json')) as { name: string }).name;

  test('is the title, shortened if it is long', async () => {
    expect(await nameOf('Node Service')).toBe('node-service-client');
    expect(
      await nameOf(
        'Specification of the JSON-RPC API for Reading the Example Rollup Network State',
      ),
    ).toBe('reading-example-rollup-network-client');
    expect((await nameOf('x'.repeat(300))).length).toBeLessThan(60);
  });

  test('is the one asked for, without its scope in Python', async () => {
    const reader = readerOf({ 'doc.json': titled('Node') });
    const model = await loadDocument('doc.json', reader, { packageName: '@acme/node.sdk' });
    const files = await renderTargets(model.model, await loadTargets(['client', 'python']), {
      source: 'doc.json',
    });
    expect(files.get('client/package.json')).toContain('"name": "@acme/node.sdk"');
    expect(files.get('client/README.md')).toContain("from '@acme/node.sdk'");
    expect(files.get('python/pyproject.toml')).toContain('name = "node.sdk"');
    expect(files.get('python/README.md')).toContain('from node_sdk import Client');
    expect([...files.keys()]).toContain('python/src/node_sdk/client.py');
  });

  test('comes from the flag or the project file', () => {
    const project = `documents:
  - document: doc.json
    targets: [client]
    options: { package_name: '@acme/from-project' }
`;
    const folder = temporaryFolder([
      ['doc.json', JSON.stringify(titled('Node'))],
      ['specgate.config.yaml', project],
    ]);
    const manifest = () => readFileSync(join(folder, 'generated/client/package.json'), 'utf8');
    expect(specgate(['generate'], { cwd: folder })).toMatchObject({ status: 0 });
    expect(manifest()).toContain('"@acme/from-project"');
    expect(specgate(['generate', '--package-name', 'own'], { cwd: folder }).status).toBe(0);
    expect(manifest()).toContain('"name": "own"');
    const refused = specgate(['generate', '--package-name', 'Not a name'], { cwd: folder });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('@acme/node-client');
  });
});

describe('a package of another trade', () => {
  const wide = { type: 'integer', maximum: Number.MAX_VALUE };
  const names = Array.from({ length: 40 }, (_, index) => `count${index}`);
  const counts = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, wide])),
  };
  const method = { name: 'stock.count', params: [], result: { name: 'counts', schema: counts } };

  test('has no word of blockchains, prices or charges in its own texts', async () => {
    const files = await render(documentOf([method]), 'client', 'python');
    const paths = [...files.keys()];
    expect(paths.filter((path) => /viem|solana|credits/.test(path))).toEqual([]);
    const own = /(?:README\.md|llms\.txt|index\.ts|client\.ts|error-catalog\.ts|methods\.py)$/;
    for (const [path, text] of files) {
      if (own.test(path) && !path.includes('runtime/')) {
        expect(text, path).not.toMatch(
          /viem|ethers|solana|kitTransport|credit|charged|a node|gateway/i,
        );
      }
    }
  });

  test('has no README line that lists every integer', async () => {
    const readme = (await packagesOf(documentOf([method])))('client/README.md');
    expect(readme).toContain('and 28 other places');
    expect(Math.max(...readme.split('\n').map((line) => line.length))).toBeLessThan(800);
  });

  test('has them where the document declares them', async () => {
    const priced = { ...method, 'x-credits': 2, 'x-network-family': 'svm' };
    const files = await render(documentOf([priced, { ...method, name: 'eth_count' }]), 'client');
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'client/src/credits.ts',
        'client/src/runtime/solana-kit.ts',
        'client/src/viem.ts',
      ]),
    );
    expect(files.get('client/README.md')).toContain('## Other methods, viem, ethers, @solana/kit');
  });
});
