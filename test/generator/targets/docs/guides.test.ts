import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAssets } from '../../../../bin/docs/assets.ts';
import { readGuides } from '../../../../generator/targets/docs/guides.ts';
import { temporaryFolder } from '../../support/folder.ts';

function read(text: string) {
  const [guide] = readGuides([{ path: 'guides/a.md', text }]);
  return { title: guide!.title, summary: guide!.summary, body: guide!.body };
}

test('front matter sets title and summary, with any line ending', () => {
  for (const end of ['\n', '\r\n']) {
    const text = ['---', 'title: A', 'summary: B', '---', '', 'Text'].join(end);
    expect(read(text)).toEqual({ title: 'A', summary: 'B', body: 'Text' });
  }
  expect(read('---\ntitle: A\n---')).toEqual({ title: 'A', summary: '', body: '' });
  expect(read('---\n---\n# B\n\nText')).toEqual({ title: 'B', summary: '', body: 'Text' });
});

test('horizontal rules are not front matter', () => {
  const text = '# A\n\nFirst\n\n---\n\nSecond\n\n---\n\nThird\n';
  expect(read(text)).toEqual({ title: 'A', summary: '', body: text.slice(5).trim() });
  const below = `---\ntitle: B\n---\n\n${text.slice(5)}`;
  expect(read(below)).toMatchObject({ title: 'B', body: text.slice(5).trim() });
});

test('a comment at the top is removed, one in code is kept', () => {
  const code = '```html\n<!-- shown -->\n```';
  expect(read(`---\ntitle: A\n---\n\n<!-- Written by\na script -->\n\n${code}`).body).toBe(code);
  expect(read(`<!-- Written by hand -->\n\n# A\n\nText`)).toMatchObject({
    title: 'A',
    body: 'Text',
  });
});

test.skipIf(process.platform === 'win32')(
  'a pipe or a device among the guides is refused',
  async () => {
    const guides = temporaryFolder();
    execFileSync('mkfifo', [join(guides, 'pipe.md')]);
    const endless = temporaryFolder();
    symlinkSync('/dev/zero', join(endless, 'zero.md'));
    const refusal = 'this is a device, a pipe or a socket, not a file';
    await expect(loadAssets({ guides })).rejects.toThrow(`pipe.md: ${refusal}`);
    await expect(loadAssets({ guides: endless })).rejects.toThrow(`zero.md: ${refusal}`);
    await expect(loadAssets({ changelog: '/dev/zero' })).rejects.toThrow(`zero: ${refusal}`);
  },
);
