import { expect, test } from 'vitest';
import { loadDocument } from '../../../generator/document.ts';
import { MAX_REPEATED_CHARACTERS } from '../../../generator/reading/repeated-parts.ts';
import { documentOf, methodOf, problemsOf, readerOf } from '../support/document.ts';

const COUNT = 100;

const text = (length: number) => 'x'.repeat(length);

/** Returns a document whose methods all have the member `key` with these references. */
function sharing(components: object, key: string, references: readonly string[]) {
  const refs = references.map((reference) => ({ $ref: `#/components/${reference}` }));
  const methods = Array.from({ length: COUNT }, (_, index) => ({
    ...methodOf(`m${index}`, true),
    [key]: key === 'result' ? refs[0] : refs,
  }));
  return { ...documentOf(methods), components };
}

const value = (length: number) => ({ name: 'v', value: text(length) });
const descriptor = (length: number) => ({
  contentDescriptors: { a: { name: 'p', description: text(length), schema: true } },
});

const kinds: readonly (readonly [string, string, (length: number) => object])[] = [
  ['params', 'contentDescriptors/a', descriptor],
  ['result', 'contentDescriptors/a', descriptor],
  ['errors', 'errors/a', (length) => ({ errors: { a: { code: 1, message: text(length) } } })],
  ['tags', 'tags/a', (length) => ({ tags: { a: { name: 't', description: text(length) } } })],
  [
    'examples',
    'examplePairings/a',
    (length) => ({
      examplePairings: { a: { name: 'e', params: [value(length)], result: value(1) } },
    }),
  ],
];

test.each(kinds)('%s that methods repeat too often are named', async (key, reference, make) => {
  const long = sharing(make(MAX_REPEATED_CHARACTERS / (COUNT - 1)), key, [reference]);
  const [problem, ...others] = await problemsOf({ 'doc.json': long });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    pointer: `/components/${reference}`,
    message: expect.stringMatching(
      /^methods repeat more than 32,000,000 characters of shared parts, most of them by 100 references to this part of \d+ characters$/,
    ) as string,
  });
  const allowed = sharing(make(MAX_REPEATED_CHARACTERS / COUNT - 1_000), key, [reference]);
  const { model } = await loadDocument('doc.json', readerOf({ 'doc.json': allowed }));
  expect(model.methods).toHaveLength(COUNT);
});

test('values that shared examples refer to are counted for each method', async () => {
  const long = sharing(
    {
      examplePairings: {
        a: { name: 'e', params: [{ $ref: '#/components/examples/v' }], result: value(1) },
      },
      examples: { v: value(MAX_REPEATED_CHARACTERS / (COUNT - 1)) },
    },
    'examples',
    ['examplePairings/a'],
  );
  const problems = await problemsOf({ 'doc.json': long });
  expect(problems.map(({ pointer }) => pointer)).toEqual(['/components/examples/v']);
});

test('a large part that one method has is not counted', async () => {
  const large = { name: 'e', params: [value(MAX_REPEATED_CHARACTERS)], result: value(1) };
  const document = documentOf([{ ...methodOf('m', true), examples: [large] }]);
  const { omissions } = await loadDocument('doc.json', readerOf({ 'doc.json': document }));
  expect(omissions).toEqual([]);
});
