/** Documentation sites of documents, and what their pages hold, read from the text of the pages. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAssets, type GuideFolder } from '../../../../bin/docs/assets.ts';
import { ownGuides as loadOwnGuides } from '../../../../bin/docs/own-site.ts';
import { loadDocument } from '../../../../generator/document.ts';
import { createTextReader } from '../../../../generator/files/text.ts';
import type { Model } from '../../../../generator/model/model.ts';
import { createDocs } from '../../../../generator/targets/docs/target.ts';
import type { Rendered } from '../../../../generator/targets/target.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Documents of what makes generating from any document hard. */
export const fixtures: readonly string[] = globSync(
  'test/generator/documents/{*.{json,yaml},split/openrpc.*}',
  { cwd: root },
).sort();

export const ownGuides = loadOwnGuides();

/** The Model of a document of the repository, or of a package it uses. */
export async function modelAt(path: string): Promise<Model> {
  // MetaMask's document refers to fields that are not there.
  return (await loadDocument(path, createTextReader({ cwd: root }), { lenient: true })).model;
}

/** Without guides, which most tests do not need; its templates are compiled once. */
const plain = loadAssets().then((assets) => createDocs(assets));

/** The files of the site of a Model. */
export async function renderSite(model: Model, guides?: GuideFolder): Promise<Rendered> {
  const docs = guides === undefined ? await plain : createDocs(await loadAssets(guides));
  return docs.render(model, { source: 'openrpc.json' });
}

export interface PageText {
  readonly path: string;
  readonly html: string;
}

export function pagesOf(site: Rendered): readonly PageText[] {
  return [...site]
    .filter(([path]) => path.endsWith('.html'))
    .map(([path, html]) => ({ path, html }));
}

/** The values of an attribute wherever a page has it. Quotes in values are always escaped. */
export function attributesIn(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<[^>]*? ${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    unescapeHtml(value!),
  );
}

/** The text of a page as a reader has it. */
export function textOf(html: string): string {
  return unescapeHtml(html.replaceAll(/<[^>]*>/g, ''));
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&#x3D;', '=')
    .replaceAll('&#x60;', '`')
    .replaceAll('&amp;', '&');
}

/** Elements a page may consist of; whatever a text made of itself would be another. */
const ELEMENTS = new Set(
  (
    'html head meta title link script body a header nav main footer article section div span p h1 h2 h3 h4 ' +
    'ul ol li dl dt dd details summary pre code table thead tbody tr th td form label input output button ' +
    'svg path circle rect g kbd small strong em blockquote hr br wbr s bdi'
  ).split(' '),
);

/** What only a text of the document can have brought into a page: elements, handlers, scripts, links. */
export function unsafeMarkup(html: string): readonly string[] {
  const elements = [...html.matchAll(/<([a-z][a-z0-9-]*)([^>]*)>/gi)];
  const strange = elements.flatMap(([whole, tag = '', attributes = '']) => {
    const names = [...attributes.replaceAll(/"[^"]*"/g, '""').matchAll(/([^\s=/]+)(?:="")?/g)];
    const hasHandler = names.some(([, name]) => /^on|^style$|^srcdoc$|['<]/.test(name!));
    const isStrangeScript =
      tag === 'script' && !/ src="[^":]*assets\/(?:theme|site)\.js"/.test(attributes);
    const isKnown = ELEMENTS.has(tag.toLowerCase());
    return isKnown && !hasHandler && !isStrangeScript ? [] : [whole];
  });
  const links = [...attributesIn(html, 'href'), ...attributesIn(html, 'src')].filter(
    (link) =>
      (/^[a-z]+:/i.test(link) && !/^(?:https?|mailto):/.test(link)) || link.startsWith('//'),
  );
  return [...strange, ...links];
}
