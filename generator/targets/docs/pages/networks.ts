import { codeSpan, inlineMarkdown } from '../../../../common/escape/markdown.ts';
import type { Page } from '../page.ts';
import { createPageTools, type Workshop } from '../page-tools.ts';
import { factsOfMethod } from './method-facts.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  evm: 'EVM-compatible',
  svm: 'program-account based (SVM)',
};

/** Where the service is: an address for each network and transport, and what is served there. */
export function networksPage(workshop: Workshop): Page {
  const { site } = workshop;
  const tools = createPageTools(workshop, 'networks');
  const networks = site.networks.map(({ name, summary, family, http, ws }) => {
    const methods = site.model.methods.filter((method) => {
      const own = factsOfMethod(method).family;
      return own === null || family === null || own === family;
    });
    return {
      id: tools.ids(name),
      name,
      summary: tools.inline(summary),
      text: summary,
      family: family === null ? '' : (FAMILIES[family] ?? family),
      http: http ?? '',
      ws: ws ?? '',
      methods: methods.map((method) => ({
        name: method.name,
        href: `${site.methodPath(method.name)}.html`,
      })),
    };
  });
  return {
    path: 'networks',
    title: 'Networks',
    summary: 'The address of each network, over HTTP and WebSocket.',
    template: 'networks',
    view: { networks },
    markdown: networks
      .map(({ name, text, http, ws }) =>
        [
          `## ${inlineMarkdown(name)}`,
          text,
          ...[http, ws].filter((url) => url !== '').map((url) => `- ${codeSpan(url)}`),
        ].join('\n\n'),
      )
      .join('\n\n'),
    headings: [],
    records: networks.map(({ id, name, text }) => ({
      url: `networks.html#${id}`,
      title: name,
      kind: 'network',
      context: 'Networks',
      text,
    })),
  };
}
