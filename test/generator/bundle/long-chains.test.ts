import { expect, test } from 'vitest';
import type { JsonObject } from '../../../common/json/value.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

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
