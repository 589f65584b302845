import Handlebars from 'handlebars';
import { bannerText } from '../banner.ts';
import type { TargetOptions } from '../target.ts';
import { fragmentOf } from './html.ts';
import { createMenu } from './menu.ts';
import { navigationOf } from './navigation.ts';
import type { Page } from './page.ts';
import { rootFrom, type Site } from './site.ts';

/** Creates a function that renders pages with head, header, navigation and table of contents. */
export function createFrame(site: Site, render: Render, options: TargetOptions) {
  const sections = navigationOf(site);
  const { title, model } = site;
  const order = sections.flatMap(({ links }) => links);
  const places = new Map(order.map(({ path }, index) => [path, index]));
  const menuOf = createMenu(sections, render);
  return (page: Page, root = rootFrom(page.path)): string => {
    const place = places.get(page.path);
    const neighbor = (step: number) => {
      const found = place === undefined ? undefined : order[place + step];
      return found === undefined ? null : { title: found.title, href: `${root}${found.path}.html` };
    };
    const headings = (page.headings ?? []).filter(({ level }) => level <= 3);
    return render('page', {
      banner: bannerText(options),
      policy: contentSecurityPolicy,
      root,
      path: page.path,
      template: page.template,
      siteTitle: title,
      version: model.info.version,
      title: page.path === 'index' ? title : `${page.title} · ${title}`,
      summary: page.summary,
      markdownHref: page.markdown === null ? null : `${root}${page.path}.md`,
      menu: menuOf(page.path, root),
      content: render(page.template, { root, ...page.view }),
      headings: headings.map(({ text, level, id }) => ({ text, level, href: fragmentOf(id) })),
      hasHeadings: headings.length > 1,
      previous: neighbor(-1),
      next: neighbor(1),
    });
  };
}

/** Renders a template by name. */
type Render = (template: string, view: object) => string;

/**
 * Compiles templates that can include one another. Templates named "….md" write Markdown unescaped.
 * The others write HTML and escape everything outside of triple braces. A missing member of the view
 * is an error.
 */
export function compileTemplates(texts: ReadonlyMap<string, string>): Render {
  const handlebars = Handlebars.create();
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const [name, text] of texts) {
    // Included code must not be indented.
    const noEscape = name.endsWith('.md');
    const template = handlebars.compile(text, { strict: true, preventIndent: true, noEscape });
    handlebars.registerPartial(name, template);
    compiled.set(name, template);
  }
  return (name, view) => {
    const template = compiled.get(name);
    if (template === undefined) throw new Error(`template "${name}" not found`);
    return template(view);
  };
}

/**
 * The Content-Security-Policy of every page, as a meta element so that any host can serve the files.
 * `connect-src` is open because the console calls networks that are unknown here; a server that knows
 * them sends a narrower policy as a header. The search uses WebAssembly.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' http: https: ws: wss:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
