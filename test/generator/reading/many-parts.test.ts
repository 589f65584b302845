import { expect, test } from 'vitest';
import { loadDocument } from '../../../generator/document.ts';
import { documentOf, methodOf, problemsOf, readerOf } from '../support/document.ts';

const times = <T>(count: number, value: T): readonly T[] =>
  Array.from({ length: count }, () => value);

test('all broken parts of a list are listed at their places', async () => {
  const good = { code: 1, message: 'good' };
  const errors = [...times(300, 1), good, ...times(300, 'b'), { code: 2 }];
  const document = documentOf([{ ...methodOf('m', true), errors }]);
  const { omissions, model } = await loadDocument('doc.json', readerOf({ 'doc.json': document }), {
    lenient: true,
  });
  expect(model.methods[0]!.errors.map(({ code }) => code)).toEqual([1]);
  const pointers = omissions.map(({ location }) => location.pointer);
  const broken = [...errors.keys()].filter((index) => index !== 300);
  expect(pointers).toEqual(
    broken.map((index) => `/methods/0/errors/${index}${index === 601 ? '/message' : ''}`),
  );
});

const method = methodOf('m', true);

test.each([
  ['errors of other types', [{ ...method, errors: times(3_000, 1) }]],
  ['errors without a message', [{ ...method, errors: times(3_000, { code: 1 }) }]],
  [
    'errors with unknown members',
    [{ ...method, errors: times(3_000, { code: 1, message: '', a: 1 }) }],
  ],
  ['params', [{ ...method, params: times(3_000, 1) }]],
  ['branches', [methodOf('m', { anyOf: times(3_000, 1) })]],
  ['methods', times(3_000, 1 as never)],
  ['errors of many methods', times(300, { ...method, errors: times(10, 1) })],
])('of very many broken parts, the first 1,000 are listed: %s', async (_, methods) => {
  const problems = await problemsOf({ 'doc.json': documentOf(methods) });
  expect(problems).toHaveLength(1_001);
  expect(problems.at(-1)!.message).toContain('more than 1000 errors; the others are not shown');
  const places = problems.slice(0, -1).map(({ pointer }) => pointer!);
  expect(new Set(places).size).toBe(1_000);
  for (const place of places)
    expect(place).toMatch(/^\/methods\/(?:\d+$|\d+\/(?:errors|params)\/\d+)/);
});
