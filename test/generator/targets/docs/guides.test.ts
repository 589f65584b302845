import { expect, test } from 'vitest';
import { readGuides } from '../../../../generator/targets/docs/guides.ts';

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
