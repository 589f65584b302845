import { inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { printExact } from '../../../../common/json/exact.ts';
import type { ErrorModel, MethodModel, Model } from '../../../model/model.ts';
import { breakableName, fragmentOf } from '../html.ts';
import { type Page, createPageTools, type PageTools, type RenderContext } from '../page.ts';

/** Renders the error catalog. */
export function errorsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'errors');
  const errors = site.model.errors.map((error) => viewError(error, tools));
  return {
    path: 'errors',
    title: 'Errors',
    summary: 'Every error of the service, its cause and its fix.',
    template: 'errors',
    view: { errors, hasReasons: errors.some(({ reason }) => reason !== '') },
    markdown: errors.map(errorMarkdown).join('\n\n'),
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
  // Other pages link to errors by row name.
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
    `- message: ${inlineMarkdown(error.message)}`,
    ...(error.cause === '' ? [] : [`- cause: ${inlineMarkdown(error.cause)}`]),
    ...(error.fix === '' ? [] : [`- fix: ${inlineMarkdown(error.fix)}`]),
    ...(error.isRetryable ? ['- retryable'] : []),
    ...(error.isCharged ? ['- charged'] : []),
  ];
  return `## ${inlineMarkdown(error.reason || error.name)}\n\n${facts.join('\n')}`;
}

export type MethodErrorView = ReturnType<typeof viewMethodErrors>[number];

/** Returns the errors that a method declares, each with its rows in the catalog. */
export function viewMethodErrors(method: MethodModel, tools: PageTools) {
  const { model } = tools.site;
  return method.errors.map((error) => {
    const rows = rowsOf(model, error);
    const name = error.name ?? rows[0]?.name ?? `Error ${error.code}`;
    const id = tools.ids('error', name);
    const cases = rows.map((row) => viewCase(row, tools));
    return {
      id,
      href: fragmentOf(id),
      code: error.code,
      name,
      message: error.message,
      data: error.data === undefined ? '' : printExact(error.data, 2),
      cases,
      count: cases.length === 1 ? '1 case' : `${cases.length} cases`,
    };
  });
}

function rowsOf(
  { errors }: Model,
  { name, code, message }: MethodModel['errors'][number],
): readonly ErrorModel[] {
  if (name !== null) return errors.filter((row) => row.error === name);
  return errors.filter((row) => row.code === code && row.message === message);
}

function viewCase(row: ErrorModel, tools: PageTools) {
  const { cause, fix, reason, status } = row;
  return {
    name: row.name,
    reason: reason ?? row.name,
    status: status === null ? '' : String(status),
    cause: tools.inline(cause ?? ''),
    fix: tools.inline(fix ?? ''),
    causeText: cause ?? '',
    fixText: fix ?? '',
    href: `errors.html${fragmentOf(row.name)}`,
    isRetryable: row.retryable === true,
    isCharged: row.charged === true,
  };
}
