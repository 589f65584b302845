import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderReleases } from '../../bin/docs/releases.ts';
import { modelOf } from '../generator/support/document.ts';

function release(version: string, methods: readonly string[], extensions: object = {}) {
  return {
    openrpc: '1.3.2',
    info: { title: 'Test', version },
    methods: methods.map((name) => ({
      name,
      params: [],
      result: { name: 'result', schema: { type: 'string' } },
      ...extensions,
    })),
  };
}

const reader = new MarkdownIt({ html: true });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specgate-releases-'));
  const released = [release('1.9.0', ['a', 'b']), release('1.10.0', ['a', 'b', 'c'])];
  for (const each of released) {
    await writeFile(join(folder, `${each.info.version}.json`), JSON.stringify(each));
  }
});
afterAll(() => rm(folder, { recursive: true }));

const releaseNotesOf = async (document: ReturnType<typeof release>): Promise<string> =>
  (await renderReleases({ model: await modelOf(document), omissions: [] }, folder)).text;

test('changes are listed by release, newest first, breaking changes at the top', async () => {
  const text = await releaseNotesOf(release('2.0.0', ['a', 'c', 'd']));
  const lines = text.split('\n').filter((line) => /^[#-]/.test(line) && line !== '---');
  expect(lines).toEqual([
    '## 2.0.0',
    '### Breaking changes',
    '- b was removed without being deprecated first.',
    '### Added',
    '- d was added.',
    '## 1.10.0',
    '### Added',
    '- c was added.',
    '## 1.9.0',
  ]);
});

test('a document with the version of the last release is listed as unreleased, without tool extensions', async () => {
  const text = await releaseNotesOf(release('1.10.0', ['a', 'b', 'c'], { 'x-tool': true }));
  expect(text).toContain('## Not released yet\n\nSince 1.10.0.\n\nNo changes that affect callers.');
});

test('markup in the version of a release is shown as text', async () => {
  const version = '<b>2</b> [a](https://evil.example) `c`\n\n<script>3</script>';
  const own = await mkdtemp(join(folder, 'hostile-'));
  await writeFile(join(own, '1.json'), JSON.stringify(release(version, ['a'])));
  const model = await modelOf(release(`${version} 4`, ['a', 'b']));
  const { text } = await renderReleases({ model, omissions: [] }, own);
  const tokens = reader.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const markup = tokens.filter(({ type }) => /^html_|^link_|^code/.test(type));
  expect(markup.map(({ content }) => content)).toEqual([]);
  expect(reader.render(text)).toContain('&lt;script&gt;3&lt;/script&gt;');
});
