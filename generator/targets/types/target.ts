import { bannerLine } from '../banner.ts';
import type { Target } from '../target.ts';
import { renderTypes } from './render-types.ts';

/** types.ts: TypeScript types of all schemas and methods. */
export const target: Target = {
  name: 'types',
  language: 'typescript',
  summary: 'TypeScript types of every schema and method',
  async render(model, options) {
    return new Map([['types.ts', `${bannerLine(options)}\n${await renderTypes(model)}`]]);
  },
};
