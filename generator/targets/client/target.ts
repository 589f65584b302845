import type { Target } from '../target.ts';
import { renderClient } from './render-client.ts';

/** client/: a package to publish, with a function per method over HTTP and WebSocket. */
export const target: Target = {
  name: 'client',
  language: 'typescript',
  summary: 'a publishable client package: a typed function per method, HTTP and WebSocket',
  async render(model, options) {
    const files = await renderClient(model, options);
    return new Map([...files].map(([path, text]) => [`client/${path}`, text]));
  },
};
