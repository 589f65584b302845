import { expect, test } from 'vitest';
import type { Model } from '../../../generator/model/model.ts';
import { shownRowsOf } from '../../../generator/targets/client-view/shown-rows.ts';
import { loadTargets, type TargetName } from '../../../generator/targets/index.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';
import { renderSite } from './docs/support.ts';

interface Shared {
  readonly methods: number;
  readonly rows: number;
  readonly cause?: string;
}

/** Returns a model whose methods all refer to one error, which has a number of rows. */
function modelWith({ methods, rows, cause = '' }: Shared): Promise<Model> {
  const errors = [{ $ref: '#/components/errors/Shared' }];
  const catalog = Array.from({ length: rows }, (_, index) => {
    return {
      name: `row${index}`,
      error: 'Shared',
      code: 1,
      reason: `r${index}`,
      message: 'm',
      cause,
    };
  });
  return modelOf(
    documentOf(
      Array.from({ length: methods }, (_, index) => ({ ...methodOf(`m${index}`, true), errors })),
      {
        'x-errors': catalog,
        components: { errors: { Shared: { code: 1, message: 'x'.repeat(cause.length) } } },
      },
    ),
  );
}

const sizeOf = (rendered: ReadonlyMap<string, string>) =>
  [...rendered.values()].reduce((sum, text) => sum + text.length, 0);

async function render(target: TargetName, model: Model) {
  const [loaded] = await loadTargets([target]);
  return loaded!.render(model, { source: 'openrpc.json' });
}

test.each(['client', 'python'] as const)(
  '%s: methods do not each list all of very many rows',
  async (target) => {
    const rendered = await render(target, await modelWith({ methods: 500, rows: 1_000 }));
    expect(sizeOf(rendered)).toBeLessThan(6_000_000);
    expect([...rendered.values()].join('')).toContain('; further classes: ');
  },
);

test('the documentation does not repeat long texts of an error for each method', async () => {
  const cause = 'long '.repeat(50_000);
  const site = await renderSite(await modelWith({ methods: 80, rows: 1, cause }));
  const pages = new Map([...site].filter(([path]) => path.startsWith('methods/')));
  expect(pages.size).toBeGreaterThan(80);
  // HTML, Markdown and data of the console.
  expect(sizeOf(pages)).toBeLessThan(3 * 12_000_000);
  expect(pages.get('methods/m0.html')).toContain('1 more on the error page');
  expect(pages.get('methods/m0.md')).toContain('1 more on the error page');
  expect(site.get('errors.html')).toContain(cause.trim());
});

test('the error page does not list all methods with each of very many errors', async () => {
  const model = await modelWith({ methods: 300, rows: 300 });
  const [other] = (await modelWith({ methods: 1, rows: 1 })).methods;
  const quiet = { ...other!, name: 'quiet', errors: [] };
  const site = await renderSite({ ...model, methods: [...model.methods, quiet] });
  expect(site.get('errors.html')!.match(/href="methods\//g)!.length).toBeLessThan(20_500);
  expect(site.get('errors.html')).toContain('<li>and 234 more</li>');
});

test('a few rows are all listed, and what one error does not use goes to the next', async () => {
  const model = await modelWith({ methods: 20, rows: 30, cause: 'a cause' });
  for (const { errors } of model.methods) {
    expect(shownRowsOf(model, errors[0]!, 'texts')).toMatchObject({ hidden: 0 });
  }
  const large = await modelWith({ methods: 2, rows: 1_000, cause: 'x'.repeat(11_000) });
  const [first, second] = large.methods.map(({ errors }) =>
    shownRowsOf(large, errors[0]!, 'texts'),
  );
  expect(first!.hidden).toBeGreaterThan(0);
  const used = [first!, second!].reduce((sum, { rows }) => sum + rows.length * 11_000, 0);
  expect(used).toBeGreaterThan(9_000_000);
  expect(used).toBeLessThan(10_000_000);
});
