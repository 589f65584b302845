import { expect, test } from 'vitest';
import { loadModel } from '../../../generator/document.ts';
import { printExact } from '../../../common/json/exact.ts';
import { renderTargets } from '../../../generator/output/render.ts';
import { findWideIntegers } from '../../../generator/targets/client/wide-integers.ts';
import type { Model } from '../../../generator/model/model.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { rewriteParams } from '../../../src/gateway/rewrite-params.ts';
import { documentOf, readerOf } from '../support/document.ts';
import { temporaryFolder, typeErrors } from '../support/folder.ts';

const targets = await loadTargets();

const WIDE = '18446744073709551615';

// Written as text: a JavaScript number would have lost the digits already.
const text = JSON.stringify(
  documentOf([
    {
      name: 'a',
      params: [
        { name: 'limit', schema: { type: 'integer', default: '@' } },
        {
          name: 'range',
          schema: { type: 'object', default: { from: 1, to: ['@', '18446744073709551615'] } },
        },
        { name: 'choice', schema: { enum: ['@', 'none', null] } },
      ],
      result: { name: 'r', schema: { const: '@' } },
      examples: [
        { name: 'e', params: [{ name: 'limit', value: '@' }], result: { name: 'r', value: '@' } },
      ],
    },
  ]),
).replaceAll('"@"', WIDE);

const load = () => loadModel('doc.json', readerOf({ 'doc.json': text }));

test('integers beyond 2^53 are bigints in the method table', async () => {
  const files = await renderTargets(await load(), targets, { source: 'doc.json' });
  const table = files.get('methods.ts')!;
  expect(table).toContain(`default: ${WIDE}n`);
  expect(table).toContain(`to: [${WIDE}n, '${WIDE}']`);
  const folder = temporaryFolder([...files].filter(([path]) => !path.startsWith('client/')));
  expect(typeErrors(folder)).toBe('');
  const { methods } = (await import(/* @vite-ignore */ `${folder}/methods.ts`)) as {
    readonly methods: { readonly a: Parameters<typeof rewriteParams>[0] };
  };
  const rawParams = Buffer.from('[]');
  expect(String(rewriteParams(methods.a, { params: [], rawParams }, null))).toBe(
    `[${WIDE},{"from":1,"to":[${WIDE},"${WIDE}"]}]`,
  );
});

test('a rounded number is not a literal type', async () => {
  const files = await renderTargets(await load(), targets, { source: 'doc.json' });
  const types = files.get('types.ts')!;
  expect(types).toMatch(/choice\?: 'none' \| null \| number\b/);
  expect(types).toContain('export type AResult = number;');
});

test('values of examples keep their digits', async () => {
  const { examples } = (await load()).methods[0]!;
  expect(printExact(examples[0]!.params[0] as never)).toBe(`{"name":"limit","value":${WIDE}}`);
});

const CHAIN_LENGTH = 20_000;

test('wide integers are found at the end of a long chain of references', () => {
  const reference = (index: number) => ({ $ref: `#/components/schemas/Link${index}` });
  const links = Array.from({ length: CHAIN_LENGTH }, (_, index) => {
    const last = { type: 'integer', maximum: 2 ** 60 };
    const next = index + 1 < CHAIN_LENGTH ? reference(index + 1) : last;
    return [`Link${index}`, { schema: { type: 'object', properties: { next } } }] as const;
  });
  const methods = [{ name: 'first', result: { schema: reference(0) } }];
  const model = { methods, schemas: new Map(links) } as unknown as Model;
  expect(findWideIntegers(model)).toEqual([`Link${CHAIN_LENGTH - 1}.next`]);
});
