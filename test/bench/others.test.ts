import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderColumns, renderMarkdown, type Comparison } from '../../bench/others/render.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const seen: Comparison = {
  versions: { specgate: '1', '@open-rpc/generator': '2', '@open-rpc/server-js': '3' },
  clients: [
    { document: 'a', ours: '0', theirs: '51' },
    { document: 'b', ours: '0', theirs: 'out of memory' },
    { document: 'c', ours: '1', theirs: '0' },
  ],
  artifacts: [{ artifact: 'a client in Rust', ours: 'none', theirs: 'written' }],
  servers: [{ message: 'a call', ours: 'a result', theirs: 'error -1' }],
};

test('a short comparison counts what compiles and says why the rest does not, for both tools', () => {
  expect(renderMarkdown(seen).split('\n')).toEqual([
    '|  | specgate 1 | @open-rpc/generator 2, @open-rpc/server-js 3 |',
    '| --- | --- | --- |',
    '| documents, of 3, whose client compiles under strict | 2; else: 1 error | 1; else: 51 errors, out of memory |',
    '| a client in Rust | none | written |',
    '| mock, sent a call | a result | error -1 |',
  ]);
  expect(renderColumns(seen)).toMatch(/^ {2}b +0 +out of memory$/m);
});

test('the comparison page has the table of the installed versions of the other tools', () => {
  const version = (name: string) =>
    (JSON.parse(read(`node_modules/${name}/package.json`)) as { readonly version: string }).version;
  const names = ['@open-rpc/generator', '@open-rpc/server-js'];
  const head = names.map((name) => `${name} ${version(name)}`).join(', ');
  expect(read('docs-site/content/toolchain/comparison.md')).toMatch(
    new RegExp(`^\\| +\\| specgate \\S+ +\\| ${head} +\\|$`, 'm'),
  );
});
