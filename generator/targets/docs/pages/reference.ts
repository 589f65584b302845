import { escapeJson } from '../../../../common/escape/json.ts';
import { printExact } from '../../../../common/json/exact.ts';
import { codeSpan, inlineMarkdown, markdownCell } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import { stringsAt, textAt } from '../../../model/member.ts';
import { serviceFacts } from '../../../model/service-facts.ts';
import { listAt } from '../../../schema/document-schemas.ts';
import { breakableName, fragmentOf } from '../html.ts';
import { createPageTools, type Page, type RenderContext } from '../page.ts';
import { safeMarkdown } from '../text/safe-markdown.ts';
import { factsOfMethod } from './method-facts.ts';

/** Renders prices, plans and a calculator. */
export function creditsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'credits');
  const title = 'Credits and plans';
  const plans = serviceFacts(site.model).plans.map(
    ({ name, creditsPerDay, callsPerSecond, forwarding }) => ({
      name,
      creditsPerDay: String(creditsPerDay ?? ''),
      credits: figure(creditsPerDay),
      calls: figure(callsPerSecond),
      forwarding,
    }),
  );
  const methods = site.model.methods.map((method) => {
    const { name } = method;
    const { credits, isForwarded } = factsOfMethod(method);
    return {
      name,
      breakable: breakableName(name),
      href: `${site.methodPath(name)}.html`,
      credits: credits ?? 0,
      figure: (credits ?? 0).toLocaleString('en'),
      inputId: tools.ids('calls', name),
      isForwarded,
    };
  });
  const planRows = plans.map(
    ({ name, credits, calls, forwarding }) =>
      `| ${markdownCell(name)} | ${credits} | ${calls} | ${forwarding ? 'yes' : 'no'} |`,
  );
  const planTable = [
    '\n| Plan | Credits per day | Calls per second | Request forwarding |',
    '| --- | ---: | ---: | --- |',
    ...planRows,
  ];
  const text = `credits cost price plans calculator ${plans.map(({ name }) => name).join(' ')}`;
  return {
    path: 'credits',
    title,
    summary: 'Prices of methods, limits of plans, and a calculator.',
    template: 'credits',
    view: { methods, plans, hasPlans: plans.length > 0 },
    markdown: [
      '| Method | Credits |\n| --- | ---: |',
      ...methods.map(({ name, credits }) => `| ${markdownCell(name)} | ${credits} |`),
      ...(plans.length === 0 ? [] : planTable),
    ].join('\n'),
    records: [{ url: 'credits.html', title, kind: 'guide', context: 'Reference', text }],
  };
}

function figure(value: number | null): string {
  return value === null ? 'by agreement' : value.toLocaleString('en');
}

const FAMILIES: ReadonlyMap<string, string> = new Map([
  ['evm', 'EVM-compatible'],
  ['svm', 'program-account based (SVM)'],
]);

/** Maximum number of methods that all networks list together; other networks only say how many they have. */
const MAX_LISTED_METHODS = 10_000;

/** Renders the URLs and methods of each network. */
export function networksPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'networks');
  const methodsOf = methodsByFamily(site);
  let listed = 0;
  const networks = site.networks.map(({ name, summary, family, http, ws }) => {
    const methods = methodsOf(family);
    const isListed = listed + methods.length <= MAX_LISTED_METHODS;
    if (isListed) listed += methods.length;
    return {
      id: tools.ids(name),
      name,
      summary: tools.inline(summary),
      text: summary,
      family: family === null ? '' : (FAMILIES.get(family) ?? family),
      http: http ?? '',
      ws: ws ?? '',
      methods: isListed ? methods : [],
      count: methods.length,
    };
  });
  const sections = networks.map(({ name, text, http, ws }) => {
    const urls = [http, ws].filter((url) => url !== '').map((url) => `- ${codeSpan(url)}`);
    return [`## ${inlineMarkdown(name)}`, inlineMarkdown(text), ...urls].join('\n\n');
  });
  return {
    path: 'networks',
    title: 'Networks',
    summary: 'The HTTP and WebSocket URLs of each network.',
    template: 'networks',
    view: { networks },
    markdown: sections.join('\n\n'),
    records: networks.map(({ id, name, text }) => {
      const url = `networks.html#${id}`;
      return { url, title: name, kind: 'network', context: 'Networks', text };
    }),
  };
}

/** Returns a function that lists the methods of the networks of a family, or of any family. */
function methodsByFamily({ model, methodPath }: RenderContext['site']) {
  const methods = model.methods.map((method) => ({
    name: method.name,
    href: `${methodPath(method.name)}.html`,
    family: factsOfMethod(method).family,
  }));
  const known = new Map<string | null, typeof methods>([[null, methods]]);
  return (family: string | null): typeof methods => {
    const found = known.get(family);
    if (found !== undefined) return found;
    const own = methods.filter((each) => each.family === null || each.family === family);
    known.set(family, own);
    return own;
  };
}

/** Renders the methods that the service handles itself (`x-service-methods`). */
export function serviceMethodsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'service-methods');
  const methods = listAt(site.model.extensions, 'x-service-methods').map((row) => {
    const name = textAt(row, 'name');
    const id = tools.ids(name);
    const family = textAt(row, 'family');
    return {
      id,
      href: fragmentOf(id),
      name,
      breakable: breakableName(name),
      family: family === '' ? 'All networks' : `Networks: ${FAMILIES.get(family) ?? family}`,
      summary: textAt(row, 'summary'),
      description: textAt(row, 'description'),
      summaryHtml: tools.inline(textAt(row, 'summary')),
      descriptionHtml: tools.html(textAt(row, 'description')),
      example: 'example' in row ? escapeJson(printExact(row['example'])) : '',
    };
  });
  const sections = methods.map(({ name, family, summary, description, example }) =>
    [
      `## ${codeSpan(name)}`,
      inlineMarkdown(summary),
      safeMarkdown(description),
      example === ''
        ? inlineMarkdown(family)
        : `${inlineMarkdown(family)}. Example: ${codeSpan(example)}`,
    ].join('\n\n'),
  );
  return {
    path: 'service-methods',
    title: 'Service methods',
    summary: 'Methods that the service handles itself, without a node. They take no parameters.',
    template: 'service-methods',
    view: { methods },
    markdown: sections.join('\n\n'),
    records: methods.map(({ href, name, summary: text }) => {
      const url = `service-methods.html${href}`;
      return { url, title: name, kind: 'guide', context: 'Service methods', text };
    }),
  };
}

/** Renders the decisions on open questions of the interface (`x-decisions`). */
export function decisionsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'decisions');
  const decisions = listAt(site.model.extensions, 'x-decisions').map((row) => {
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
      methods: stringsAt(row, 'methods').flatMap((name) => {
        const href = site.findMethod(name);
        return href === null ? [] : [{ name, href }];
      }),
    };
  });
  const sections = decisions.map(({ name, question, decision }) => {
    return `## ${inlineMarkdown(`${name}: ${question}`)}\n\n${safeMarkdown(decision)}`;
  });
  return {
    path: 'decisions',
    title: 'Decisions',
    summary: 'Decisions on open questions of the interface.',
    template: 'decisions',
    view: { decisions },
    markdown: sections.join('\n\n'),
    records: decisions.map(({ href, name, question, decision: text }) => {
      const title = `${name}: ${onOneLine(question)}`;
      return { url: `decisions.html${href}`, title, kind: 'guide', context: 'Decisions', text };
    }),
  };
}
