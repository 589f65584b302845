import type { Target } from '../target.ts';
import { renderPython } from './render-python.ts';

/** python/: a package to publish, blocking and for asyncio, over HTTP and WebSocket. */
export const target: Target = {
  name: 'python',
  language: 'python',
  summary: 'a publishable Python package: a typed method per method, blocking and for asyncio',
  render(model, options) {
    const files = renderPython(model, options);
    return new Map([...files].map(([path, text]) => [`python/${path}`, text]));
  },
};
