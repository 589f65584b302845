import { expect, test } from 'vitest';
import { createIds } from '../../../../generator/targets/docs/html.ts';
import { documentOf, methodOf, modelOf } from '../../support/document.ts';
import { renderSite } from './support.ts';

async function overviewOf(description: string): Promise<string> {
  const info = { title: 'Test', version: '1.0.0', description };
  const document = documentOf([methodOf('m', { type: 'string' })], { info });
  return (await renderSite(await modelOf(document))).get('index.html')!;
}

test('a description with many equal headings gives each its own id', async () => {
  const ids = [...(await overviewOf('# a\n\n'.repeat(8_000))).matchAll(/<h2 id="(a[^"]*)"/g)];
  expect(new Set(ids.map(([, id]) => id)).size).toBe(8_000);
});

test('a description with many names in code links each of them', async () => {
  const page = await overviewOf('`m` '.repeat(60_000));
  const links = page.match(/(?<=<code>m<\/code><\/a> )<a href="methods\/m\.html">/g);
  expect(links).toHaveLength(60_000 - 1);
});

test('a name with a million hyphens has an id', () => {
  const name = `a${'-'.repeat(1_000_000)}b`;
  expect(createIds()('params', name)).toBe(`params.${name}`);
});

test('long lines of code, and very much code, are not highlighted by a grammar', async () => {
  const fence = (code: string, language = 'bash'): string =>
    `\n\`\`\`${language}\n${code}\n\`\`\`\n`;
  const isHighlighted = (page: string, code: string): boolean => {
    expect(page).toContain(code);
    return page.slice(0, page.indexOf(code)).endsWith('">');
  };
  const long = await overviewOf(fence(`'${'-'.repeat(300)}'`) + fence("'last one'"));
  expect(isHighlighted(long, '&#39;----')).toBe(false);
  expect(isHighlighted(long, '&#39;last one')).toBe(true);
  const much = await overviewOf(fence(`echo\n`.repeat(3_900)).repeat(11) + fence("'last one'"));
  expect(isHighlighted(much, '&#39;last one')).toBe(false);
  const plain = await overviewOf(
    fence(`echo\n`.repeat(3_900), '').repeat(11) + fence("'last one'"),
  );
  expect(isHighlighted(plain, '&#39;last one')).toBe(true);
});
