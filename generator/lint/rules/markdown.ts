import MarkdownIt from 'markdown-it';
import { decodeUri, valueAt } from '../../../common/json/pointer.ts';
import { isObject } from '../../../common/json/value.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import type { DocumentText, LintContext } from '../context.ts';
import { openrpc, rule } from '../rule.ts';

const markdown = new MarkdownIt();

export const markdownRules = [
  rule('description-links', ['warning', 'error'], {
    title: 'Links within the document have a target',
    protects: 'The link does nothing.',
    source: openrpc(
      'info-object',
      'descriptions are Markdown; a fragment refers to something in the same document',
    ),
    fix: 'link to a heading, method, tag or component of the document, or use a full URL',
    bad: `methods:
  - name: getUser
    description: Like [getUsers](#getUsers), but for one user.`,
    good: `methods:
  - name: getUser
    description: Like [getUsers](#getUsers), but for one user.
  - name: getUsers`,
    *check(context) {
      const { texts } = context;
      let anchors: ReadonlySet<string> | undefined;
      for (const { text, pointer } of texts) {
        if (!text.includes('](')) continue;
        for (const href of hrefsOf(text)) {
          if (href === '') yield { pointer, message: 'a link has no URL' };
          if (!href.startsWith('#') || href === '#') continue;
          anchors ??= anchorsOf(context, texts);
          const fragment = decodeUri(href.slice(1));
          const isPart =
            fragment.startsWith('/') && valueAt(context.document, fragment) !== undefined;
          if (isPart || anchors.has(fragment.toLowerCase())) continue;
          yield { pointer, message: `the link "${href}" has no target in the document` };
        }
      }
    },
  }),
  rule('description-fence', ['error', 'error'], {
    title: 'Code blocks in descriptions are closed',
    protects: 'An unclosed block runs to the end of the page.',
    source: {
      text: 'CommonMark 0.31.2, 4.5: without a closing fence, a code block runs to the end of the document',
      url: 'https://spec.commonmark.org/0.31.2/#fenced-code-blocks',
    },
    fix: 'close the block',
    bad: `methods:
  - name: getUser
    description: |
      Call it like this:
      \`\`\`sh
      curl example.org`,
    good: `methods:
  - name: getUser
    description: |
      Call it like this:
      \`\`\`sh
      curl example.org
      \`\`\``,
    *check({ texts }) {
      for (const { text, pointer } of texts) {
        if (!/```|~~~/.test(text)) continue;
        const lines = text.trimEnd().split('\n');
        for (const { type, map, markup } of markdown.parse(text, {})) {
          const last = lines[(map?.[1] ?? 0) - 1]?.trim() ?? '';
          if (type !== 'fence' || map === null || map[1] < lines.length) continue;
          const isClosed =
            map[1] - map[0] > 1 &&
            last.startsWith(markup) &&
            last.replaceAll(markup[0]!, '') === '';
          if (!isClosed) yield { pointer, message: 'a code block is not closed' };
        }
      }
    },
  }),
];

function hrefsOf(text: string): readonly string[] {
  const inline = markdown.parse(text, {}).flatMap(({ children }) => children ?? []);
  return inline
    .filter(({ type }) => type === 'link_open')
    .map((token) => String(token.attrGet('href') ?? ''));
}

/** The anchors of documentation: headings, methods, tags and components, in lower case. */
function anchorsOf(
  { document, methods }: LintContext,
  texts: readonly DocumentText[],
): ReadonlySet<string> {
  const components = Object.values(objectAt(document, 'components')).filter(isObject);
  const names = [
    ...methods.flatMap(({ name, tags }) => [
      name,
      ...tags.map(({ value }) => String(value['name'])),
    ]),
    ...components.flatMap((map) => Object.keys(map)),
  ];
  const headings = texts.flatMap(({ text }) => headingsOf(text));
  return new Set(
    [...names, ...[...names, ...headings].map(slug)].map((each) => each.toLowerCase()),
  );
}

function headingsOf(text: string): readonly string[] {
  if (!/^\s{0,3}(?:#|\S.*\n\s*[=-])/m.test(text)) return [];
  const tokens = markdown.parse(text, {});
  return tokens.flatMap(({ type }, i) => (type === 'heading_open' ? [tokens[i + 1]!.content] : []));
}

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
