import { loadTemplate } from '../../files/template.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';

const template = loadTemplate(import.meta.url, './errors.ts.hbs');

/** errors.ts: the error catalog. */
export const target: Target = {
  name: 'errors',
  language: 'typescript',
  summary: 'the error catalog as typed constants',
  render(model, options) {
    const rows = model.errors.map(({ name, ...row }): [string, object] => {
      const { code, reason, origin, status, message, charged, retryable, cause, fix } = row;
      return [name, { code, reason, origin, status, message, charged, retryable, cause, fix }];
    });
    const table = literal(Object.fromEntries(rows));
    return new Map([['errors.ts', `${bannerLine(options)}\n${template({ table })}`]]);
  },
};
