import { markdownCell, codeSpan, inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import { isObject, type Json } from '../../../../common/json/value.ts';
import { textAt } from '../../../model/member.ts';
import { serviceFacts } from '../../../model/service-facts.ts';
import { breakableName, fragmentOf } from '../html.ts';
import { type Page, createPageTools, type RenderContext } from '../page.ts';
import { safeMarkdown } from '../text/safe-markdown.ts';
import { factsOfMethod } from './method-facts.ts';

/** Renders prices, plans and a calculator. */
export function creditsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'credits');
  const plans = serviceFacts(site.model).plans.map((plan) => ({
    name: plan.name,
    creditsPerDay: plan.creditsPerDay === null ? '' : String(plan.creditsPerDay),
    credits: figure(plan.creditsPerDay),
    calls: figure(plan.callsPerSecond),
    forwarding: plan.forwarding,
  }));
  const methods = site.model.methods.map((method) => {
    const { credits } = factsOfMethod(method);
    return {
      name: method.name,
      breakable: breakableName(method.name),
      href: `${site.methodPath(method.name)}.html`,
      credits: credits ?? 0,
      figure: (credits ?? 0).toLocaleString('en'),
      inputId: tools.ids('calls', method.name),
      isForwarded: factsOfMethod(method).isForwarded,
    };
  });
  return {
    path: 'credits',
    title: 'Credits and plans',
    summary: 'Prices of methods, limits of plans, and a calculator.',
    template: 'credits',
    view: { methods, plans, hasPlans: plans.length > 0 },
    markdown: [
      '| Method | Credits |\n| --- | ---: |',
      ...methods.map(({ name, credits }) => `| ${markdownCell(name)} | ${credits} |`),
      ...(plans.length === 0
        ? []
        : [
            '\n| Plan | Credits per day | Calls per second | Request forwarding |\n| --- | ---: | ---: | --- |',
            ...plans.map(
              ({ name, credits, calls, forwarding }) =>
                `| ${markdownCell(name)} | ${credits} | ${calls} | ${forwarding ? 'yes' : 'no'} |`,
            ),
          ]),
    ].join('\n'),
    records: [
      {
        url: 'credits.html',
        title: 'Credits and plans',
        kind: 'guide',
        context: 'Reference',
        text: `credits cost price plans calculator ${plans.map(({ name }) => name).join(' ')}`,
      },
    ],
  };
}

function figure(value: number | null): string {
  return value === null ? 'by agreement' : value.toLocaleString('en');
}

const FAMILIES: Readonly<Record<string, string>> = {
  evm: 'EVM-compatible',
  svm: 'program-account based (SVM)',
};

/** Renders the URLs and methods of each network. */
export function networksPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'networks');
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
    summary: 'The HTTP and WebSocket URLs of each network.',
    template: 'networks',
    view: { networks },
    markdown: networks
      .map(({ name, text, http, ws }) =>
        [
          `## ${inlineMarkdown(name)}`,
          inlineMarkdown(text),
          ...[http, ws].filter((url) => url !== '').map((url) => `- ${codeSpan(url)}`),
        ].join('\n\n'),
      )
      .join('\n\n'),
    records: networks.map(({ id, name, text }) => ({
      url: `networks.html#${id}`,
      title: name,
      kind: 'network',
      context: 'Networks',
      text,
    })),
  };
}

/** Renders the decisions on open questions of the interface (`x-decisions`). */
export function decisionsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'decisions');
  const listed = site.model.extensions['x-decisions'];
  const rows: readonly Json[] = Array.isArray(listed) ? listed : [];
  const decisions = rows.filter(isObject).map((row) => {
    const { methods } = row;
    const name = textAt(row, 'id');
    const id = tools.ids(name);
    return {
      id,
      href: fragmentOf(id),
      name,
      question: textAt(row, 'question'),
      decision: textAt(row, 'decision'),
      questionHtml: tools.inline(textAt(row, 'question')),
      decisionHtml: tools.html(textAt(row, 'decision')),
      methods: (Array.isArray(methods) ? methods.map(String) : []).flatMap((method) => {
        const href = site.findMethod(method);
        return href === null ? [] : [{ name: method, href }];
      }),
    };
  });
  return {
    path: 'decisions',
    title: 'Decisions',
    summary: 'Decisions on open questions of the interface.',
    template: 'decisions',
    view: { decisions },
    markdown: decisions
      .map(
        ({ name, question, decision }) =>
          `## ${inlineMarkdown(`${name}: ${question}`)}\n\n${safeMarkdown(decision)}`,
      )
      .join('\n\n'),
    records: decisions.map(({ href, name, question, decision }) => ({
      url: `decisions.html${href}`,
      title: `${name}: ${onOneLine(question)}`,
      kind: 'guide',
      context: 'Decisions',
      text: decision,
    })),
  };
}
