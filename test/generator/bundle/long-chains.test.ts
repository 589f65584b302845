import { describe, expect, test } from 'vitest';
import { describeDiagnostic } from '../../../common/diagnostic.ts';
import { valueAt } from '../../../common/json/pointer.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { createComponentNames } from '../../../generator/bundle/component-name.ts';
import { loadModel } from '../../../generator/document.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { documentOf, methodOf, modelOf, problemsOf, readerOf } from '../support/document.ts';
import { atScale } from '../../support/soak.ts';

/** Links of a chain; followed once for each of its links, it took minutes. */
const LINKS = 900;

test('a long chain of references below one schema is followed once', async () => {
  const at = '#/components/schemas/X/definitions';
  const links = Array.from({ length: LINKS }, (_, index) => [
    `a${index}`,
    { $ref: `${at}/a${index + 1}` },
  ]);
  const { schemas } = await modelOf(
    documentOf([methodOf('m', { $ref: '#/components/schemas/X' })], {
      components: {
        schemas: {
          X: {
            definitions: { ...Object.fromEntries(links), [`a${LINKS}`]: { type: 'string' } },
            properties: { p: { $ref: `${at}/a0` } },
          },
        },
      },
    }),
  );
  const { properties } = schemas.get('X')!.schema as { properties: { p: JsonObject } };
  expect(properties.p).toEqual({ $ref: `#/components/schemas/a${LINKS}` });
  expect(schemas.get(`a${LINKS}`)!.schema).toEqual({ type: 'string' });
});

test('a chain of more than 100 component references is refused with its limit', async () => {
  const links = Array.from({ length: 110 }, (_, index) => [
    `a${index}`,
    { $ref: `#/components/schemas/a${index + 1}` },
  ]);
  const schemas = { ...Object.fromEntries(links), a110: {} };
  const doc = documentOf([methodOf('m', true)], { components: { schemas } });
  const [problem] = await problemsOf({ 'doc.json': doc });
  expect(describeDiagnostic(problem!)).toContain('leads through more than 100 references');
});

test('a local reference starts at the innermost schema with an $id', async () => {
  const part = (name: string) => ({ $ref: `#/definitions/${name}` });
  const { schemas } = await modelOf(
    documentOf([methodOf('m', { $ref: 'urn:outer' })], {
      components: {
        schemas: {
          Outer: {
            $id: 'urn:outer',
            definitions: { A: { title: 'outer' }, B: { title: 'only outer' } },
            properties: {
              own: part('A'),
              inner: {
                $id: 'urn:inner',
                definitions: { A: { title: 'inner' } },
                properties: { own: part('A') },
              },
            },
          },
        },
      },
    }),
  );
  const titles = [...schemas.values()].map(({ schema }) => (schema as JsonObject)['title']);
  expect(titles).toEqual(expect.arrayContaining(['outer', 'inner']));
});

describe('parts of another file, below unknown keywords,', () => {
  const X = { foo: { $ref: 'part.json#/a0' } };
  const doc = documentOf([methodOf('m', { $ref: '#/components/schemas/X' })], {
    components: { schemas: { X } },
  });
  const bundled = async (part: unknown) => {
    const { document } = await loadModel(
      'doc.json',
      readerOf({ 'doc.json': doc, 'part.json': part }),
    );
    return valueAt(document, '/components/schemas/X/foo');
  };

  test('are put in place once each', async () => {
    const at = '#/components/schemas/X/foo';
    const list = Array.from({ length: 20_000 }, (_, index) => ({ $ref: `#/b${index % 2_000}` }));
    const targets = list.slice(0, 2_000).map((_, index) => [`b${index}`, { title: `${index}` }]);
    const found = await bundled({ a0: { list }, ...Object.fromEntries(targets) });
    expect((found as { list: unknown[] }).list.slice(1_999, 2_001)).toEqual([
      { title: '1999' },
      { $ref: `${at}/list/0` },
    ]);
  });

  test('do not contain themselves if a part within one refers to it', async () => {
    const a0 = { $ref: '#/outer/inner' };
    expect(await bundled({ a0, outer: { inner: { bar: { $ref: '#/outer' } } } })).toEqual({
      bar: { inner: { $ref: '#/components/schemas/X/foo' } },
    });
  });

  test('may be referred to in data, which stays as it is', async () => {
    const data = { title: 'data' };
    const a0 = { bar: { $ref: '#/a1' }, zoo: { $ref: '#/a1/default' } };
    expect(await bundled({ a0, a1: { default: data } })).toEqual({
      bar: { default: data },
      zoo: data,
    });
  });

  test('are refused if data in them is nested too deeply', async () => {
    const data = JSON.parse('['.repeat(124) + ']'.repeat(124)) as unknown;
    const problems = await problemsOf({ 'doc.json': doc, 'part.json': { a0: { default: data } } });
    expect(problems.map(describeDiagnostic).join()).toContain('nested deeper than 128');
  });

  test('are refused if the chain of them is nested too deeply', async () => {
    const links = Array.from({ length: 5_000 }, (_, index) => [
      `a${index}`,
      { bar: { $ref: `#/a${index + 1}` } },
    ]);
    const part = { ...Object.fromEntries(links), a5000: {} };
    const [problem] = await problemsOf({ 'doc.json': doc, 'part.json': part });
    expect(describeDiagnostic(problem!)).toMatch(
      /^part.json:\d+:5 #\/a122\/bar: the target of the reference is nested deeper than 128 objects and arrays in the bundle/,
    );
  });
});

test('a method of another file does not contain itself if a part of it refers to that part', async () => {
  const error = { code: 1, message: 'one', foo: { $ref: '#/m/errors/0' } };
  const problems = await problemsOf({
    'doc.json': documentOf([{ $ref: 'part.json#/m' }]),
    'part.json': { m: { ...methodOf('m', true), errors: [error] } },
  });
  expect(problems.map(describeDiagnostic)).toEqual([
    expect.stringMatching(/^part.json:\S+ #\/m\/errors\/0\/foo: unknown; expected/),
  ]);
});

test('the names of a file are listed once for all references by name', async () => {
  const names = Array.from({ length: atScale(16_000, 4_000) }, (_, index) => `n${index}`);
  const schema = {
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `part.json#${name}` }])),
  };
  const part = Object.fromEntries(
    names.map((name) => [`${name}!`, { $anchor: name, title: name }]),
  );
  const { document } = await loadModel(
    'doc.json',
    readerOf({ 'doc.json': documentOf([methodOf('m', schema)]), 'part.json': part }),
  );
  const $ref = valueAt(document, `/methods/0/params/0/schema/properties/${names.at(-1)!}/$ref`);
  expect(valueAt(document, String($ref).slice(1))).toMatchObject({ title: names.at(-1)! });
});

test('a file whose URL is not UTF-8 names a component as it is written', () => {
  const source = parseSource({ name: 'x', url: 'https://example.org/%ff.json', text: '{}' });
  expect(createComponentNames([])({ source, pointer: '' })).toBe('%ff');
});
