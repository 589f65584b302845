import { loadTemplate } from '../../files/template.ts';
import { methodTable } from '../../model/method-table.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';

const template = loadTemplate<{ readonly table: string }>(import.meta.url, './methods.ts.hbs');
const entry = loadTemplate<object>(import.meta.url, './method-entry.ts.hbs');

/** methods.ts: the method table. */
export const methods: Target = {
  name: 'methods',
  summary: 'the method table: cost, network family, transports, parameters, defaults',
  render(model, options) {
    const banner = bannerLine(options);
    return new Map([
      ['method-entry.ts', `${banner}\n${entry({})}`],
      ['methods.ts', `${banner}\n${template({ table: literal(methodTable(model)) })}`],
    ]);
  },
};
