import { expect, test } from 'vitest';
import { readCorpus } from '../../../bench/diff/corpus.ts';
import { createChance } from '../../../bench/diff/instances/instances.ts';
import { createDraw } from '../../../bench/diff/mutation.ts';
import { refactorings } from '../../../bench/diff/refactorings.ts';
import { unionDocument } from '../../../bench/diff/union-document.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf } from './support/documents.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const withSchemas = (schemas: object, param: unknown) =>
  documentOf([methodOf('a', param, param)], { components: { schemas } });

/** Variants that no member marks, which take many steps to compare. */
const alike = (name: (index: number) => unknown) => ({
  oneOf: Array.from({ length: 12 }, (_, index) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`m${(index + at) % 9}`, name((index * at) % 5)]),
    ),
  })),
});
const text = (index: number) => ({ type: 'string', maxLength: 10 + index });
const texts = Object.fromEntries([0, 1, 2, 3, 4].map((index) => [`Text${index}`, text(index)]));

const tree = (name: string, label: unknown) => ({
  [name]: { type: 'object', properties: { label, children: { type: 'array', items: ref(name) } } },
});

async function alarmsOf(old: unknown, fresh: unknown): Promise<readonly string[]> {
  const { changes } = await diffOf(old, fresh);
  return changes
    .filter(({ severity, kind }) => severity !== 'info' && kind !== 'version-not-raised')
    .map(({ kind }) => kind);
}

test.each([
  ['schemas extracted to components', alike(text), alike((index) => ref(`Text${index}`))],
  ['schemas written in place', alike((index) => ref(`Text${index}`)), alike(text)],
  [
    'components wrapped in allOf',
    alike((index) => ref(`Text${index}`)),
    alike((index) => ({ allOf: [ref(`Text${index}`)], description: 'A text.' })),
  ],
])('%s are not compared at all, and give no warning', async (_, before, after) => {
  expect(await alarmsOf(withSchemas(texts, before), withSchemas(texts, after))).toEqual([]);
});

test('renamed components give no warning, recursive ones neither', async () => {
  const names = JSON.stringify(unionDocument).replaceAll('#/components/schemas/', '$&New');
  const renamed = JSON.parse(names) as typeof unionDocument;
  const schemas = Object.entries(renamed.components.schemas);
  renamed.components.schemas = Object.fromEntries(
    schemas.map(([name, schema]) => [`New${name}`, schema]),
  );
  expect(await alarmsOf(unionDocument, renamed)).toEqual([]);
});

test('recursive components that differ are not equal because their shapes are', async () => {
  const document = (label: unknown) =>
    withSchemas({ ...tree('Tree', label), ...tree('Other', { type: 'string' }) }, ref('Tree'));
  const found = await alarmsOf(document({ type: 'string' }), document({ type: 'integer' }));
  expect(found).toContain('request-type-narrowed');
});

test('a default that moved to an extracted component is still the default', async () => {
  const level = { type: 'string', default: 'low' };
  const place = (schema: unknown) => ({ type: 'object', properties: { level: schema } });
  const inPlace = withSchemas({}, place(level));
  const extracted = withSchemas({ Level: level }, place(ref('Level')));
  expect(await alarmsOf(inPlace, extracted)).toEqual([]);
  expect(await alarmsOf(extracted, inPlace)).toEqual([]);
  const other = withSchemas({ Level: { ...level, default: 'high' } }, place(ref('Level')));
  expect(await alarmsOf(inPlace, other)).toContain('member-default-changed');
});

const seed = seedOfCases();

test(`random refactorings of public documents give no warning, seed ${seed}`, async () => {
  const draw = createDraw(createChance(seed));
  const corpus = (await readCorpus()).filter(({ name }) => name.startsWith('@'));
  for (const { name, document } of corpus) {
    for (const { apply } of atScale(refactorings, refactorings.slice(-1))) {
      const changed = structuredClone(document);
      if (!apply(changed, draw)) continue;
      expect([name, await alarmsOf(document, changed)]).toEqual([name, []]);
    }
  }
});
