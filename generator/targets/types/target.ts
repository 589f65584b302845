import { bannerLine } from '../banner.ts';
import type { Target } from '../target.ts';
import { renderTypes } from './render.ts';

/** types.ts: the document's schemas and methods as TypeScript types. */
export const target: Target = {
  name: 'types',
  language: 'typescript',
  summary: 'TypeScript types of every schema and of every method',
  async render(model, options) {
    return new Map([['types.ts', `${bannerLine(options)}\n${await renderTypes(model)}`]]);
  },
};
