import { inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import type { ErrorModel } from '../../../model/model.ts';
import { breakableName } from '../html.ts';
import { fragmentOf } from '../ids.ts';
import type { Page } from '../page.ts';
import { createPageTools, type PageTools, type Workshop } from '../page-tools.ts';

/** The catalogue: every error with its code, status, cause, fix and the shape of its data. */
export function errorsPage(workshop: Workshop): Page {
  const { site } = workshop;
  const tools = createPageTools(workshop, 'errors');
  const errors = site.model.errors.map((error) => viewError(error, tools));
  return {
    path: 'errors',
    title: 'Errors',
    summary: 'Every error of the service: what it means, and how to fix it.',
    template: 'errors',
    view: { errors, hasReasons: errors.some(({ reason }) => reason !== '') },
    markdown: errors.map(errorMarkdown).join('\n\n'),
    headings: [],
    records: errors.map(({ href, name, code, reason, message, cause, fix }) => ({
      url: `errors.html${href}`,
      title: reason === '' ? name : `${reason} (${code})`,
      kind: 'error',
      context: name,
      text: `${code} ${message} ${cause} ${fix}`,
    })),
  };
}

function viewError(error: ErrorModel, tools: PageTools) {
  const { site, root } = tools;
  const { name, code, message, cause, fix, status, charged, retryable, origin } = error;
  // The catalogue's places are known to other pages by the names of the rows.
  const id = tools.ids(name);
  const methods = site.model.methods.filter(({ errors }) =>
    errors.some((each) =>
      each.name === null
        ? each.code === code && each.message === message
        : each.name === error.error,
    ),
  );
  return {
    id,
    href: fragmentOf(id),
    name,
    code,
    message,
    reason: error.reason ?? '',
    breakable: breakableName(error.reason || name),
    status: status === null ? '' : String(status),
    origin: origin ?? '',
    isRetryable: retryable === true,
    isFinal: retryable === false,
    isCharged: charged === true,
    isFree: charged === false,
    cause: cause ?? '',
    fix: fix ?? '',
    causeHtml: tools.inline(cause ?? ''),
    fixHtml: tools.inline(fix ?? ''),
    data:
      error.data === null
        ? null
        : tools.describer()(error.data, { name: 'data', path: [id, 'data'] }),
    isEverywhere: methods.length > 0 && methods.length === site.model.methods.length,
    methods: methods.map(({ name }) => ({ name, href: `${root}${site.methodPath(name)}.html` })),
    hasMethods: methods.length > 0,
  };
}

function errorMarkdown(error: ReturnType<typeof viewError>): string {
  const facts = [
    `- code: \`${error.code}\``,
    ...(error.status === '' ? [] : [`- HTTP status: ${error.status}`]),
    `- message: ${onOneLine(error.message)}`,
    ...(error.cause === '' ? [] : [`- cause: ${onOneLine(error.cause)}`]),
    ...(error.fix === '' ? [] : [`- fix: ${onOneLine(error.fix)}`]),
    ...(error.isRetryable ? ['- may be tried again'] : []),
    ...(error.isCharged ? ['- the call is charged'] : []),
  ];
  return `## ${inlineMarkdown(error.reason || error.name)}\n\n${facts.join('\n')}`;
}
