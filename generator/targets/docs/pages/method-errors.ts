import { printExact } from '../../../../common/json/exact.ts';
import type { ErrorModel, MethodModel, Model } from '../../../model/model.ts';
import { fragmentOf } from '../ids.ts';
import type { Html } from '../html.ts';
import type { PageTools } from '../page-tools.ts';

/** An error a method declares, and the rows of the catalogue that are cases of it. */
export interface MethodErrorView {
  readonly id: string;
  readonly href: string;
  readonly code: number;
  readonly name: string;
  readonly message: string;
  /** JSON of the declared `data`; "" for none. */
  readonly data: string;
  readonly cases: readonly ErrorCaseView[];
  /** "5 cases". */
  readonly count: string;
}

export interface ErrorCaseView {
  readonly name: string;
  readonly reason: string;
  readonly status: string;
  readonly cause: Html;
  readonly fix: Html;
  readonly causeText: string;
  readonly fixText: string;
  /** In the catalogue, relative to the site. */
  readonly href: string;
  readonly isRetryable: boolean;
  readonly isCharged: boolean;
}

export function viewMethodErrors(
  method: MethodModel,
  tools: PageTools,
): readonly MethodErrorView[] {
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

function viewCase(row: ErrorModel, tools: PageTools): ErrorCaseView {
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
