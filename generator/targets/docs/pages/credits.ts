import { markdownCell } from '../../../../common/escape/markdown.ts';
import { breakableName } from '../html.ts';
import { serviceFacts } from '../../../model/service-facts.ts';
import type { Page } from '../page.ts';
import { createPageTools, type Workshop } from '../page-tools.ts';
import { factsOfMethod } from './method-facts.ts';

/** What calls cost, what plans give, and a calculator for the two. */
export function creditsPage(workshop: Workshop): Page {
  const { site } = workshop;
  const tools = createPageTools(workshop, 'credits');
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
    summary: 'What each method costs, what each plan gives, and a calculator for the two.',
    template: 'credits',
    view: { methods, plans, hasPlans: plans.length > 0 },
    markdown: [
      '| Method | Credits |\n| --- | ---: |',
      ...methods.map(({ name, credits }) => `| ${markdownCell(name)} | ${credits} |`),
      ...(plans.length === 0
        ? []
        : [
            '\n| Plan | Credits a day | Calls a second | Request forwarding |\n| --- | ---: | ---: | --- |',
            ...plans.map(
              ({ name, credits, calls, forwarding }) =>
                `| ${markdownCell(name)} | ${credits} | ${calls} | ${forwarding ? 'yes' : 'no'} |`,
            ),
          ]),
    ].join('\n'),
    headings: [],
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
