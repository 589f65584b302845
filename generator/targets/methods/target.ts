import { loadTemplate } from '../../files/template.ts';
import { methodTable } from '../../model/method-table.ts';
import { serviceFacts } from '../../model/service-facts.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';

const template = loadTemplate<{ readonly table: string }>(import.meta.url, './methods.ts.hbs');
const service = loadTemplate<{ readonly facts: string }>(import.meta.url, './service.ts.hbs');
const entry = loadTemplate<object>(import.meta.url, './method-entry.ts.hbs');

/** methods.ts and service.ts: what a server has to know of each method and of the whole. */
export const target: Target = {
  name: 'methods',
  language: 'typescript',
  summary: 'the method table: cost, network family, transports, parameters, defaults',
  render(model, options) {
    const banner = bannerLine(options);
    return new Map([
      ['method-entry.ts', `${banner}\n${entry({})}`],
      ['methods.ts', `${banner}\n${template({ table: literal(methodTable(model)) })}`],
      ['service.ts', `${banner}\n${service({ facts: literal(serviceFacts(model)) })}`],
    ]);
  },
};
