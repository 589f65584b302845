import { expect, test } from 'vitest';
import { documentOf, methodOf, modelOf } from '../../support/document.ts';
import { renderSite } from './support.ts';
import { atScale } from '../../../support/soak.ts';

test('a component that is reached in many ways is shown once', async () => {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
  const nested = Array.from({ length: 40 }, (_, index) => [
    `S${index}`,
    { allOf: [ref(index + 1), ref(index + 1)] },
  ]);
  const last = { type: 'object', properties: { inner: { type: 'string' } } };
  const schemas = Object.fromEntries([...nested, ['S40', last]]);
  const document = documentOf([methodOf('m', ref(0))], { components: { schemas } });
  const page = (await renderSite(await modelOf(document))).get('types/S0.md')!;
  expect(page.match(/inner/g)).toHaveLength(1);
});

test('networks list their methods as far as the page stays readable', async () => {
  const count = atScale(1_000, 400);
  const methods = Array.from({ length: count }, (_, index) => methodOf(`m${index}`, true));
  const servers = Array.from({ length: count }, (_, index) => ({
    name: `s${index}`,
    url: `https://h${index}.example`,
  }));
  const site = await renderSite(await modelOf(documentOf(methods, { servers })));
  const html = site.get('networks.html')!;
  expect(html).toContain(`https://h${count - 1}.example`);
  expect(html).toContain(`<dt>Methods</dt><dd>${count}</dd>`);
  expect(html.length).toBeLessThan(2_000_000);
});
