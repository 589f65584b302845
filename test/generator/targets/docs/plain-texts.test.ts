import * as fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { marked } from 'marked';
import { expect, test, vi } from 'vitest';
import {
  codeCell,
  codeSpan,
  descriptionLine,
  inlineMarkdown,
  linkText,
  markdownCell,
  plainMarkdown,
} from '../../../../common/escape/markdown.ts';
import { safeMarkdown } from '../../../../generator/targets/docs/text/safe-markdown.ts';
import { atScale, seedOfCases } from '../../../support/soak.ts';
import { modelOf } from '../../support/document.ts';
import { renderSite } from './support.ts';

// As other readers of Markdown do it: raw HTML is HTML, links have any scheme, and some know no tables.
const reader = new MarkdownIt({ html: true });
const readers = [reader, new MarkdownIt('commonmark', { html: true })];
for (const each of readers) each.validateLink = () => true;

function tokensOf(text: string, by = reader): readonly Token[] {
  return by.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
}

/** Returns the HTML of a text, without that which has no tag other than `<br>`. */
const htmlIn = (text: string) =>
  [
    ...readers
      .flatMap((each) => tokensOf(text, each))
      .filter(({ type }) => type.startsWith('html_'))
      .map(({ content }) => content),
    ...htmlByMarked(text),
  ].filter((content) => /<(?!br *\/?>)/i.test(content));

/** Unlike the other readers, this one finds URLs without brackets, in which backticks begin no code. */
function htmlByMarked(text: string): readonly string[] {
  const found: string[] = [];
  void marked.walkTokens(marked.lexer(text), ({ type, raw }) => {
    if (type === 'html') found.push(raw);
  });
  return found;
}

const linksIn = (text: string) =>
  tokensOf(text).flatMap((token) => (token.type === 'link_open' ? [token.attrGet('href')] : []));
const fencesIn = (text: string) =>
  tokensOf(text).flatMap(({ type, content }) => (type === 'fence' ? [content] : []));

const HOSTILE = '<img src=x onerror=alert(1)> [here](https://evil.example/)';

test.each(['``` ', '~~~ ', '# ', '- ', '> ', '1. ', ''])(
  'the Markdown of a method shows plain texts that start with %j as texts',
  async (start) => {
    const plain = `${start}${HOSTILE}`;
    const model = await modelOf({
      openrpc: '1.3.2',
      info: { title: 'T', version: '1.0.0' },
      methods: [
        {
          name: 'm',
          summary: plain,
          description: 'A <b>word</b>.\n\n```\nleft <open>',
          deprecated: true,
          'x-sunset': plain,
          'x-transports': { supported: [plain] },
          params: [],
          result: { name: 'r', schema: { type: 'integer' } },
          errors: [{ code: 1, message: plain }],
          examples: [{ name: 'e', params: [], result: { name: 'r', value: 1 } }],
        },
      ],
    });
    const site = await renderSite(model);
    const pages = [...site].filter(([path]) => /(?:\.md|^llms\.txt)$/.test(path));
    expect(pages.length).toBeGreaterThan(3);
    for (const [path, text] of pages) {
      const html = htmlIn(text).filter((each) => !each.startsWith('<!-- '));
      expect(html, path).toEqual([]);
      expect(
        linksIn(text).filter((href) => String(href).includes('evil')),
        path,
      ).toEqual([]);
    }
    const page = site.get('methods/m.md')!;
    const [description, ...examples] = fencesIn(page);
    expect(description).toBe('left <open>\n');
    expect(examples.map((json) => typeof JSON.parse(json))).toEqual(['object', 'object']);
  },
);

test.each([
  ['text <b>', 'text &lt;b>'],
  ['`<b>` <b>', '`<b>` &lt;b>'],
  ['`a\n<b>` <b>', '`a\n<b>` &lt;b>'],
  ['`\n` <b> `', '`\n` &lt;b> `'],
  ['<https://a.example/>', '<https://a.example/>'],
  ['```\n<b>\n```\n<b>', '```\n<b>\n```\n&lt;b>'],
  ['- ```\n  <b>\n  ```\n<b>', '- ```\n  <b>\n  ```\n&lt;b>'],
  // For some readers, the tab is not enough for code.
  ['- - \t<b>', '- - \t&lt;b>'],
  ['>1. \t<b>', '>1. \t&lt;b>'],
  ['\t<b>\n\n-     <b>', '\t<b>\n\n-     <b>'],
  ['    <b>\n\n<b>', '    <b>\n\n&lt;b>'],
  ['| a | ` |\n|-|-|\n| ` | <b> |', '| a | ` |\n|-|-|\n| ` | &lt;b> |'],
  // Without tables, the first code goes on to the second cell.
  ['| a | b |\n|-|-|\n| ` | `<b>` |', '| a | b |\n|-|-|\n| ` | `&lt;b>` |'],
  ['| a | b |\n|-|-|\n| `<b>` | `c` |', '| a | b |\n|-|-|\n| `<b>` | `c` |'],
  // The line break begins a block of HTML, in which the URL is a tag with an attribute.
  ['<br/>\n<http://a/onclick=b>', '<br/>\n&lt;http://a/onclick=b>'],
  ['a<br>\n<http://a/onclick=b>', 'a<br>\n<http://a/onclick=b>'],
])('a description %j keeps its code, and shows HTML as text', (description, expected) => {
  expect(safeMarkdown(description)).toBe(expected);
  expect(htmlIn(safeMarkdown(description))).toEqual([]);
});

const CODE = '`` ` <b>';

test('no mixture of code, links and escapes hides HTML or an unsafe link', () => {
  const parts =
    '`|``|```|\\|<b>|<br>|<br>\n|<!-- x -->|<https://a|>|a| |\n|\n\n|- |    |> |~~~|1. |[|](|)|(|"|[r]: |\t|javascript:x|http://a.b/|www.a.b/| '.split(
      '|',
    );
  const text = fc
    .array(fc.constantFrom('|', '\n\n| a | b |\n|-|-|\n', ...parts), { maxLength: 16 })
    .map((chosen) => chosen.join(''));
  const shows: readonly ((text: string) => string)[] = [
    inlineMarkdown,
    plainMarkdown,
    descriptionLine,
    safeMarkdown,
    (each) => `[${linkText(each)}](x)`,
    (each) => `| a |\n|-|\n| ${markdownCell(each)} |`,
    // Before code on the same line.
    (each) => `${inlineMarkdown(each)} ${codeSpan(CODE)}`,
    (each) => `${descriptionLine(each)} [default: ${codeSpan(CODE)}]`,
    (each) => `[${linkText(each)}](x) ${codeSpan(CODE)}`,
    (each) => `| a | b |\n|-|-|\n| ${markdownCell(each)} | ${codeCell(CODE)} |`,
  ];
  const property = fc.property(text, fc.constantFrom(...shows), (each, show) => {
    expect(htmlIn(show(each)), JSON.stringify(each)).toEqual([]);
    expect(targetsIn(show(each)).filter(isScript), JSON.stringify(each)).toEqual([]);
  });
  fc.assert(property, { seed: seedOfCases(), numRuns: atScale(50_000, 5_000) });
});

test('a plain text keeps its code spans, a description its links', () => {
  expect(inlineMarkdown('Use `a[0]` [now](x)')).toBe(
    String.raw`Use ` + '`a[0]`' + String.raw` \[now\](x)`,
  );
  expect(descriptionLine('See [now](x) <b>')).toBe('See [now](x) &lt;b>');
  expect(descriptionLine('See [now](x(y)) `<b>`')).toBe('See [now](x(y)) `<b>`');
  expect(descriptionLine('See [now](x`) `<b>')).toBe('See [now](x\\`) \\`&lt;b>');
});

/** Reads links as programs do that check no scheme. */
function targetsIn(text: string): readonly string[] {
  return readers
    .flatMap((each) => tokensOf(text, each))
    .flatMap(({ type, attrs }) =>
      type === 'link_open' || type === 'image' ? [String(attrs?.[0]?.[1])] : [],
    );
}

const isScript = (target: string) => target.startsWith('javascript:');

test.each([
  '[x](javascript:alert(1))',
  '[x]( JavaScript:alert(1) "t")',
  '[x](\njavascript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  String.raw`[x](javascript\:alert(1))`,
  '[x](<javascript:alert(1)>)',
  '[x](data:text/html,x)',
  '![x](vbscript:x)',
  '[x][r]\n\n[r]: javascript:alert(1)',
  '[r]\n\n[r]:\n  javascript:alert(1)',
  '[a [b](javascript:1) c](data:x)',
  '| a |\n|-|\n| [x](javascript:1) |',
])('the unsafe link %j of a description is shown as text', (description) => {
  expect(targetsIn(description).length).toBeGreaterThan(0);
  for (const text of [safeMarkdown(description), descriptionLine(description)]) {
    for (const target of targetsIn(text)) expect(target).not.toMatch(/^[a-z]+(?::|&|%5c)/i);
  }
});

test.each([
  '> [x](\n> javascript:alert(1))',
  '> [r]:\n> javascript:alert(1)\n\n[r]',
  '[x](https://a`)[y](javascript:alert(1))`',
  '[x](https://a "`")[y](javascript:alert(1))`',
  '[x](https://a<https://b)[y](javascript:alert(1))>',
  '| a | b |\n|-|-|\n| c | [x](\njavascript:alert(1)) |',
])('an unsafe link %j that is hidden from the reader of a line is shown as text', (description) => {
  expect(targetsIn(description)).toContain('javascript:alert(1)');
  for (const text of [safeMarkdown(description), descriptionLine(description)]) {
    expect(targetsIn(text).filter(isScript)).toEqual([]);
  }
});

test('a definition of an unsafe link is not left for another text of the page', () => {
  expect(targetsIn(`${safeMarkdown('> [r]:\n> javascript:1')}\n\n[r]`)).toEqual([]);
});

test.each([
  '[x](https://a.example/b:c) [y](HTTP://a.example) [z](mailto:a@b.example) [w](a/b.md#c:d)',
  '[x][r]\n\n[r]: https://a.example/?a=1&b=2',
  '`[x](javascript:1)`',
  '```\n[x](javascript:1)\n```',
])('the links and the code of %j stay', (description) => {
  expect(safeMarkdown(description)).toBe(description);
});

test('hidden characters of descriptions are escaped on Markdown pages', async () => {
  const description = 'a\u202eb `c\u2066d`\r\n\n\\\u202e [e](f\u200f)\n\n```\n\u001b[2J\tg\n```';
  const model = await modelOf({
    openrpc: '1.3.2',
    info: { title: 'T', version: '1.0.0', description },
    methods: [
      {
        name: 'm',
        description,
        params: [{ name: 'p', description, schema: { description } }],
        result: { name: 'r', schema: true },
        examples: [
          { name: 'e', description, params: [], result: { name: 'r', value: description } },
        ],
      },
    ],
    components: { schemas: { A: { description, type: 'string' } } },
  });
  for (const [path, text] of await renderSite(model)) {
    if (path.endsWith('.md')) expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  }
  expect(safeMarkdown(description)).toBe(
    'a\\u202eb `c\\u2066d`\n\n\\\\u202e [e\\](f\\u200f)\n\n```\n\\u001b[2J\tg\n```',
  );
});

test('a million backslashes end no cell', () => {
  const text = '\\'.repeat(1_000_000);
  expect(markdownCell(`${text}x`)).toBe(`${text}x`);
});

test('a text with runs of backticks of many lengths, and many brackets, is parsed once for its blocks', () => {
  const runs = Array.from({ length: 60 }, (_, index) => '`'.repeat(index + 1)).join(' ');
  expect(descriptionLine(runs)).toBe(runs.replaceAll('`', '\\`'));
  expect(descriptionLine(`${runs} <b> ${runs}`)).toMatch(/^` `` .* <b> ` /);
  const parse = vi.spyOn(MarkdownIt.prototype, 'parse');
  const inline = vi.spyOn(reader.inline.constructor.prototype as typeof reader.inline, 'parse');
  try {
    expect(safeMarkdown(`${runs} ${'!['.repeat(100)}`)).toContain('![![');
    expect([parse.mock.calls.length, inline.mock.calls.length]).toEqual([1, 0]);
  } finally {
    parse.mockRestore();
    inline.mockRestore();
  }
});

test.each([
  'See http://a.example/` <script>1</script> `.',
  'See HTTPS://a.example/`` <script>1</script> ``.',
  'See www.a.example/` <script>1</script> `.',
  'See <http://a.example/`> <script>1</script> `.',
  'See (ftp://a.example/`, `b`) <script>1</script> `.',
  'See http://a.example/` `<b>` <script>1</script> `.',
  String.raw`See http://a.example/\<script>1</script>.`,
])('in the URL of %j backticks begin no code, and backslashes escape nothing', (text) => {
  expect(htmlIn(text)).not.toEqual([]);
  const shows = [
    inlineMarkdown,
    plainMarkdown,
    descriptionLine,
    safeMarkdown,
    linkText,
    markdownCell,
  ];
  for (const show of shows) expect(htmlIn(show(text)), show.name).toEqual([]);
});

test.each([
  'Call `http://a.example/` or `<b>`.',
  'See http://a.example/ and `<b>`.',
  'The package `@a/b`/`<c>`.',
])('the code of %j, which is in no URL, stays', (text) => {
  for (const show of [inlineMarkdown, descriptionLine, safeMarkdown]) expect(show(text)).toBe(text);
});
