import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexRecords } from '../../bin/docs/search-index.ts';
import { temporaryFolder } from '../generator/support/folder.ts';

const record = { url: '/a', title: 'A', kind: 'guide', context: 'Guides', text: 'Some text' };

const configurations = [
  ['pagefind.toml', 'logfile = "mine.txt"'],
  ['pagefind.yml', 'logfile: mine.txt'],
  ['pagefind.json', '{ "logfile": "mine.txt" }'],
] as const;

test.for(configurations)('the search index does not depend on %s', async ([name, text]) => {
  const folder = temporaryFolder([
    [name, text],
    ['mine.txt', 'important'],
  ]);
  const home = process.cwd();
  process.chdir(folder);
  const own = process.cwd();
  try {
    const files = await indexRecords([record]);
    expect([...files.keys()]).toContain('pagefind/pagefind.js');
    expect(process.cwd()).toBe(own);
  } finally {
    process.chdir(home);
  }
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('important');
});

test('half of a surrogate pair in a text does not end the indexer', async () => {
  const half = '\ud800x';
  const files = await indexRecords([{ ...record, title: half, context: half, text: half }]);
  expect([...files.keys()]).toContain('pagefind/pagefind.js');
});
