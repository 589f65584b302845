import { symlinkSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf, type Document } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { render } from '../support/render.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

async function routerOf(source: Document) {
  const folder = temporaryFolder(await render(source, 'types', 'validators', 'server'));
  symlinkSync(modules, `${folder}/node_modules`);
  const url = `${pathToFileURL(folder).href}/server/reference.js`;
  const { createReferenceRouter } = (await import(/* @vite-ignore */ url)) as {
    createReferenceRouter(): { call(method: string, params?: unknown): Promise<object> };
  };
  return createReferenceRouter();
}

test('the reference server runs no code of its document, and returns it whole', async () => {
  const evil = { type: ['string', 'x" || (globalThis.ranParam = true, false) || "'] };
  // Ajv 6 takes a second schema with the same id for what the first one refers to.
  const schema = {
    $id: 'h',
    properties: { a: { $ref: '#/components/schemas/A' } },
    'x-more': { $id: 'h', definitions: { A: evil } },
  };
  const params = [{ name: 'p', schema: { allOf: [schema] } }];
  const source = documentOf([{ name: 'm', params, result: { name: 'r', schema: {} } }], {
    components: { schemas: { A: { type: 'string' } } },
  });
  const router = await routerOf(source);
  expect(await router.call('m', [{ a: 'x' }])).toHaveProperty('result');
  expect(await router.call('m', [{ a: 1 }])).toMatchObject({ error: { code: -32_602 } });
  expect(globalThis).not.toHaveProperty('ranParam');
  expect(await router.call('rpc.discover')).toEqual({ result: source });
});

test('a member called __proto__ does not change all objects of the reference server', async () => {
  const own = (value: object) => Object.fromEntries([['__proto__', value]]);
  const member = { type: 'object', properties: {}, changed: { by: 'a document' } };
  const parts = {
    Properties: { type: 'object', properties: own(member) },
    Keyword: { type: 'object', ...own(member) },
    Default: { type: 'object', default: own(member) },
  };
  const methods = Object.keys(parts).flatMap((name) => {
    const x = { $ref: `#/components/schemas/${name}` };
    const schemas = [{ type: 'object', required: ['x'], properties: { x } }, { allOf: [x, x] }];
    return schemas.map((schema, index) => {
      return { name: `${name}${index}`, params: [], result: { name: 'r', schema } };
    });
  });
  const router = await routerOf(documentOf(methods, { components: { schemas: parts } }));
  const before = Object.getOwnPropertyNames(Object.prototype);
  for (const { name } of methods) {
    await router.call(name);
    const names = Object.getOwnPropertyNames(Object.prototype);
    const added = names.filter((each) => !before.includes(each));
    for (const each of added) Reflect.deleteProperty(Object.prototype, each);
    expect(added, name).toEqual([]);
  }
});

test('the reference server finds the example with equal params in one reading', async () => {
  const exampleOf = (size: number) => ({
    name: `of ${size}`,
    params: [{ name: 'p', value: { size, more: { b: [null], a: 1 } } }],
    result: { name: 'r', value: `of ${size}` },
  });
  const router = await routerOf(
    documentOf([
      {
        name: 'm',
        params: [
          { name: 'p', required: true, schema: { type: 'object' } },
          { name: 'q', schema: {} },
        ],
        result: { name: 'r', schema: { type: 'string', maxLength: 1 } },
        examples: [...Array.from({ length: 300 }, (_, size) => exampleOf(size)), exampleOf(7)],
      },
    ]),
  );
  const value = { more: { a: 1, b: [null] }, size: 299 };
  expect(await router.call('m', [value])).toEqual({ result: 'of 299' });
  expect(await router.call('m', { p: value })).toEqual({ result: 'of 299' });
  const deep = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as object;
  expect(await router.call('m', [deep])).toHaveProperty('result');
  let reads = 0;
  const ownKeys = (target: object) => {
    reads += 1;
    return Reflect.ownKeys(target);
  };
  await router.call('m', [new Proxy({ size: -1 }, { ownKeys })]);
  expect(reads).toBeLessThan(20);
  expect(await router.call('m', [value, 1])).not.toEqual({ result: 'of 299' });
});

describe('a result that would be too large', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const LEVELS = 40;
  const schemas = Object.fromEntries(
    Array.from({ length: LEVELS }, (_, level): [string, object] => {
      const next = ref(`C${level + 1}`);
      const properties = { a: next, b: next };
      const isLast = level === LEVELS - 1;
      return [
        `C${level}`,
        isLast ? { type: 'null' } : { type: 'object', required: ['a', 'b'], properties },
      ];
    }),
  );

  test.each([
    ['a list', { type: 'array', minItems: 10_000_000 }],
    ['nested lists', { type: 'array', minItems: 9_999, items: { type: 'array', minItems: 9_999 } }],
    ['a text', { type: 'string', minLength: 100_000_000 }],
    ['a pattern', { type: 'string', pattern: '^(([a-z]{999}){999}){9}$' }],
    ['a pattern with escaped digits', { type: 'string', pattern: String.raw`^(?:){9\x39}$` }],
    ['a number of too many steps', { type: 'integer', multipleOf: 1, minimum: 1e300 }],
    ['components of components', ref('C0')],
  ])('is not generated: %s', async (_, schema) => {
    const example = {
      name: 'shown',
      params: [{ name: 'p', value: 1 }],
      result: { name: 'r', value: 'shown' },
    };
    const params = [{ name: 'p', schema: true }];
    const method = { name: 'm', params, result: { name: 'r', schema }, examples: [example] };
    const router = await routerOf(documentOf([method], { components: { schemas } }));
    expect(await router.call('m', [1])).toEqual({ result: 'shown' });
    expect(await router.call('m', [2])).toMatchObject({
      error: { code: -32_603, data: { detail: expect.stringContaining('too large') } },
    });
  });

  test('is not that of an ordinary pattern or number', async () => {
    const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
    const items = {
      oneOf: [{ type: 'string', pattern: uuid }, { maximum: 2 ** 64 }],
    };
    const method = methodOf('m', true, { type: 'array', items });
    const router = await routerOf(documentOf([method]));
    expect(await router.call('m', [1])).toHaveProperty('result');
  });
});
