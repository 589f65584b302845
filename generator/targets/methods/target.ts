import { loadTemplate, readBeside } from '../../files/template.ts';
import { serviceFacts } from '../../model/service-facts.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';
import { methodTable } from './method-table.ts';

const methods = loadTemplate(import.meta.url, './templates/methods.ts.hbs');
const service = loadTemplate(import.meta.url, './templates/service.ts.hbs');

/** methods.ts and service.ts: the facts a server needs about each method and the whole service. */
export const target: Target = {
  name: 'methods',
  language: 'typescript',
  summary: 'the method table: cost, network family, transports, parameters, defaults',
  render(model, options) {
    const banner = bannerLine(options);
    const entry = readBeside(import.meta.url, './templates/method-entry.ts');
    return new Map([
      ['method-entry.ts', `${banner}\n${entry}`],
      ['methods.ts', `${banner}\n${methods({ table: literal(methodTable(model)) })}`],
      ['service.ts', `${banner}\n${service({ facts: literal(serviceFacts(model)) })}`],
    ]);
  },
};
