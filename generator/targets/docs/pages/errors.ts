import { escapeJson } from '../../../../common/escape/json.ts';
import { inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { printExact } from '../../../../common/json/exact.ts';
import { cutText } from '../../../../common/escape/text.ts';
import { rowsOf } from '../../../model/errors.ts';
import type { ErrorModel, MethodModel, Model } from '../../../model/model.ts';
import { MAX_MESSAGE } from '../../client-view/errors.ts';
import { shownRowsOf } from '../../client-view/shown-rows.ts';
import { breakableName, fragmentOf } from '../html.ts';
import { createPageTools, type Page, type PageTools, type RenderContext } from '../page.ts';

/** Maximum number of links to methods; `MIN_METHODS` of each error are listed in any case. */
const MAX_LINKS = 20_000;
const MIN_METHODS = 10;

export function errorsPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'errors');
  const { model } = site;
  const users = usersOf(model);
  const maxMethods = Math.max(MIN_METHODS, Math.floor(MAX_LINKS / model.errors.length));
  const errors = model.errors.map((error) =>
    viewError(error, { users: users.get(error) ?? [], maxMethods }, tools),
  );
  return {
    path: 'errors',
    title: 'Errors',
    summary: 'Every error of the service, its cause and its fix.',
    template: 'errors',
    view: { errors, hasReasons: errors.some(({ reason }) => reason !== '') },
    markdown: errors.map(errorMarkdown).join('\n\n'),
    records: errors.map(({ href, name, code, reason, message, cause, fix }) => {
      const title = reason === '' ? name : `${reason} (${code})`;
      const text = `${code} ${message} ${cause} ${fix}`;
      return { url: `errors.html${href}`, title, kind: 'error', context: name, text };
    }),
  };
}

function viewRow({ name, reason, status, charged, retryable }: ErrorModel) {
  return {
    name,
    reason: reason ?? '',
    status: status === null ? '' : String(status),
    isRetryable: retryable === true,
    isCharged: charged === true,
  };
}

/** Returns the methods that declare each error. */
function usersOf(model: Model): ReadonlyMap<ErrorModel, readonly MethodModel[]> {
  const users = new Map<ErrorModel, MethodModel[]>();
  for (const method of model.methods) {
    const rows = new Set(method.errors.flatMap((error) => rowsOf(model, error)));
    for (const row of rows) {
      const methods = users.get(row);
      if (methods === undefined) users.set(row, [method]);
      else methods.push(method);
    }
  }
  return users;
}

function viewError(
  error: ErrorModel,
  { users, maxMethods }: { readonly users: readonly MethodModel[]; readonly maxMethods: number },
  tools: PageTools,
) {
  const { site, root } = tools;
  const { name, code, message, cause, fix, charged, retryable, origin, data } = error;
  // Other pages link to errors by row name.
  const id = tools.ids(name);
  const { methods } = site.model;
  return {
    ...viewRow(error),
    id,
    href: fragmentOf(id),
    code,
    message,
    breakable: breakableName(error.reason || name),
    origin: origin ?? '',
    isFinal: retryable === false,
    isFree: charged === false,
    cause: cause ?? '',
    fix: fix ?? '',
    causeHtml: tools.inline(cause ?? ''),
    fixHtml: tools.inline(fix ?? ''),
    data: data === null ? null : tools.describer()(data, { name: 'data', path: [id, 'data'] }),
    isEverywhere: users.length > 0 && users.length === methods.length,
    methods: users
      .slice(0, maxMethods)
      .map(({ name }) => ({ name, href: `${root}${site.methodPath(name)}.html` })),
    moreMethods: Math.max(0, users.length - maxMethods),
    hasMethods: users.length > 0,
  };
}

function errorMarkdown(error: ReturnType<typeof viewError>): string {
  const facts = [
    `- code: \`${error.code}\``,
    error.status && `- HTTP status: ${error.status}`,
    `- message: ${inlineMarkdown(error.message)}`,
    error.cause && `- cause: ${inlineMarkdown(error.cause)}`,
    error.fix && `- fix: ${inlineMarkdown(error.fix)}`,
    error.isRetryable && '- retryable',
    error.isCharged && '- charged',
  ].filter(Boolean);
  return `## ${inlineMarkdown(error.reason || error.name)}\n\n${facts.join('\n')}`;
}

/** Maximum number of characters of the data of an error, which methods may share. */
const MAX_DATA = 10_000;

export type MethodErrorView = ReturnType<typeof viewMethodErrors>[number];

/** Returns the errors that a method declares, each with its rows in the catalog. */
export function viewMethodErrors(method: MethodModel, tools: PageTools) {
  const { model } = tools.site;
  return method.errors.map((error) => {
    const { rows, hidden } = shownRowsOf(model, error, 'texts');
    const name = error.name ?? rowsOf(model, error)[0]?.name ?? `Error ${error.code}`;
    const id = tools.ids('error', name);
    const cases = rows.map((row) => viewCase(row, tools));
    return {
      id,
      href: fragmentOf(id),
      code: error.code,
      name,
      message: cutText(error.message, MAX_MESSAGE),
      data:
        error.data === undefined ? '' : cutText(escapeJson(printExact(error.data, 2)), MAX_DATA),
      cases,
      hidden,
      more: `${tools.root}errors.html`,
    };
  });
}

function viewCase(row: ErrorModel, tools: PageTools) {
  const { name, reason, cause, fix } = row;
  return {
    ...viewRow(row),
    reason: reason ?? name,
    cause: tools.inline(cause ?? ''),
    fix: tools.inline(fix ?? ''),
    causeText: cause ?? '',
    fixText: fix ?? '',
    href: `errors.html${fragmentOf(name)}`,
  };
}
