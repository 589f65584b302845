import { loadTemplate } from '../../files/template.ts';
import type { ErrorModel } from '../../model/model.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';

const template = loadTemplate<{ readonly table: string }>(import.meta.url, './errors.ts.hbs');

/** errors.ts: the error catalogue. */
export const target: Target = {
  name: 'errors',
  language: 'typescript',
  summary: 'the error catalogue as typed constants',
  render(model, options) {
    const table = Object.fromEntries(model.errors.map((error) => [error.name, rowOf(error)]));
    return new Map([
      ['errors.ts', `${bannerLine(options)}\n${template({ table: literal(table) })}`],
    ]);
  },
};

function rowOf(error: ErrorModel) {
  const { code, reason, origin, status, message, charged, retryable, cause, fix } = error;
  return { code, reason, origin, status, message, charged, retryable, cause, fix };
}
