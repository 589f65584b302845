import { isDeepStrictEqual } from 'node:util';
import { createReferenceRouter } from '../../../generated/server/reference.js';
import { everyExample } from '../../support/document.ts';
import { symlinkSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentOf, type Document } from '../support/document.ts';
import { temporaryFolder, typeErrors, writeInto } from '../support/folder.ts';
import { hardDocument } from '../support/hard-document.ts';
import { render } from '../support/render.ts';

const document = documentOf(
  [
    {
      name: 'math.add',
      params: [
        { name: 'a', required: true, schema: { $ref: '#/components/schemas/Term' } },
        { name: 'b', schema: { type: 'integer' } },
      ],
      result: { name: 'sum', schema: { type: 'integer' } },
      examples: [
        {
          name: 'one and two',
          params: [
            { name: 'a', value: 1 },
            { name: 'b', value: 2 },
          ],
          result: { name: 'sum', value: 3 },
        },
        { name: 'an error', params: [{ name: 'a', value: -1 }] },
      ],
    },
    {
      name: 'tree',
      paramStructure: 'by-position',
      params: [],
      result: { name: 'tree', schema: { $ref: '#/components/schemas/Tree' } },
    },
    {
      name: 'log',
      paramStructure: 'by-name',
      params: [{ name: 'text', required: true, schema: { type: 'string' } }],
    },
  ],
  {
    components: {
      schemas: {
        Term: { type: 'integer', format: 'term' },
        Tree: {
          type: 'object',
          required: ['kids'],
          properties: {
            kids: { type: 'array', maxItems: 1, items: { $ref: '#/components/schemas/Tree' } },
          },
        },
      },
    },
  },
);

async function folderOf(source: Document): Promise<string> {
  return temporaryFolder(await render(source, 'types', 'validators', 'server'));
}

interface Outcome {
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly violations: unknown[] };
  };
}

describe('the dispatcher', () => {
  const seen: unknown[] = [];
  let dispatch: (call: unknown, context?: unknown) => Promise<Outcome>;

  beforeEach(() => void seen.splice(0));

  beforeAll(async () => {
    const url = `${pathToFileURL(await folderOf(document)).href}/server/index.ts`;
    const server = (await import(/* @vite-ignore */ url)) as {
      createDispatcher(handlers: object): typeof dispatch;
      CallError: new (code: number, message: string, data?: unknown) => Error;
    };
    dispatch = server.createDispatcher({
      'math.add': (params: number[], context: unknown) => {
        seen.push(params, context);
        if (params[0] === 0) throw new server.CallError(7, 'no zero', { a: 0 });
        if (params[0] === -1) throw new Error('a secret');
        return params.reduce((sum, each) => sum + each, 0);
      },
      tree: async () => ({ kids: [] }),
      log: () => {},
    });
  });

  test('passes params as an array, and the context, to a handler', async () => {
    expect(await dispatch({ method: 'math.add', params: [1, 2] }, 'context')).toEqual({
      result: 3,
    });
    expect(await dispatch({ method: 'math.add', params: { b: 2, a: 3 } })).toEqual({ result: 5 });
    expect(await dispatch({ method: 'math.add', params: { a: 3 } })).toEqual({ result: 3 });
    expect(seen).toEqual([[1, 2], 'context', [3, 2], undefined, [3], undefined]);
    expect(await dispatch({ method: 'tree' })).toEqual({ result: { kids: [] } });
  });

  test.each([
    [null, -32600, 'invalid request'],
    [{ method: { toString: 1 } }, -32600, 'invalid request'],
    [{ method: 'none' }, -32601, 'the method none does not exist/is not available'],
    [{ method: 'constructor' }, -32601, 'the method constructor does not exist/is not available'],
    [
      { method: 'math.add', params: ['1'] },
      -32602,
      'invalid params: a: expected an integer, got "1"',
    ],
    [
      { method: 'log', params: ['a'] },
      -32602,
      'invalid params: params: expected an object of parameters by name',
    ],
    [{ method: 'math.add', params: [0] }, 7, 'no zero'],
    [{ method: 'math.add', params: [-1] }, -32603, 'internal error'],
  ])('answers %j with an error', async (call, code, message) => {
    expect((await dispatch(call)).error).toMatchObject({ code, message });
  });

  test('passes no inherited value for an omitted param', async () => {
    const params = [{ name: 'constructor', schema: { type: 'string' } }];
    const own = documentOf([{ name: 'm', params, result: { name: 'r', schema: true } }]);
    const url = `${pathToFileURL(await folderOf(own)).href}/server/index.ts`;
    const { createDispatcher } = (await import(/* @vite-ignore */ url)) as {
      createDispatcher(handlers: object): typeof dispatch;
    };
    const echo = createDispatcher({ m: (given: unknown) => given });
    expect(await echo({ method: 'm', params: {} })).toEqual({ result: [] });
  });

  test('describes invalid params', async () => {
    const { error } = await dispatch({ method: 'math.add', params: [] });
    expect(error?.data?.violations).toMatchObject([
      { pointer: '/0', param: 'a', keyword: 'required' },
    ]);
  });
});

test('handlers are typed: each method, its params and its result', async () => {
  const folder = await folderOf(document);
  writeInto(
    folder,
    'uses.ts',
    `import { createDispatcher, type Handlers } from './server/index.ts';
const handlers: Handlers<string> = {
  'math.add': ([a, b], context) => a + (b ?? context.length),
  tree: async () => ({ kids: [] }),
  log: ({ text }) => void text,
};
export const dispatch = createDispatcher(handlers);
// @ts-expect-error: a handler is missing
export const partial: Handlers = { tree: () => ({ kids: [] }) };
// @ts-expect-error: not the result type
export const wrong: Handlers = { ...handlers, tree: () => 1 };
`,
  );
  expect(typeErrors(folder)).toBe('');
});

test('a method may have the name of an inherited member', async () => {
  const document = documentOf([
    {
      name: '__proto__',
      paramStructure: 'either',
      params: [{ name: 'a', required: true, schema: { type: 'integer' } }],
      result: { name: 'r', schema: { type: 'integer' } },
    },
  ]);
  const folder = temporaryFolder([
    ...(await render(document, 'types')),
    ...(await render(document, 'validators')),
    ...(await render(document, 'server')),
  ]);
  const { createDispatcher } = (await import(
    /* @vite-ignore */ `${pathToFileURL(folder).href}/server/index.ts`
  )) as { createDispatcher(handlers: object): (call: object, context: undefined) => unknown };
  const dispatch = createDispatcher({ ['__proto__']: ([a]: readonly number[]) => a! + 1 });
  const method = '__proto__';
  expect(await dispatch({ method, params: [1] }, undefined)).toEqual({ result: 2 });
  expect(await dispatch({ method, params: { a: 1 } }, undefined)).toEqual({ result: 2 });
  expect(await dispatch({ method, params: ['x'] }, undefined)).toMatchObject({
    error: { code: -32602 },
  });
});

test('the server of a hard document compiles under the strictest options', async () => {
  expect(typeErrors(await folderOf(hardDocument))).toBe('');
});

describe('the reference server', () => {
  interface Router {
    call(method: string, params?: unknown): Promise<Outcome>;
    isMethodImplemented(method: string): boolean;
  }

  async function routerOf(source: Document, methods?: object): Promise<Router> {
    const folder = await folderOf(source);
    const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
    symlinkSync(modules, `${folder}/node_modules`);
    const url = `${pathToFileURL(folder).href}/server/reference.js`;
    const module = (await import(/* @vite-ignore */ url)) as {
      createReferenceRouter(methods?: object): Router;
    };
    return module.createReferenceRouter(methods);
  }

  test('answers with the example of the same params, by position or by name', async () => {
    const router = await routerOf(document);
    expect(await router.call('math.add', [1, 2])).toEqual({ result: 3 });
    expect(await router.call('math.add', { a: 1, b: 2 })).toEqual({ result: 3 });
  });

  test('answers every example of openrpc.json with its result or its error', async () => {
    const router = createReferenceRouter();
    const examples = everyExample();
    expect(examples.length).toBeGreaterThanOrEqual(54);
    for (const { method, example } of examples) {
      // Examples that need a setup, such as a node that is down, may have the params of another.
      const first = method.examples.find(({ params }) =>
        isDeepStrictEqual(params, example.params),
      )!;
      const answer = first.result ? { result: first.result.value } : { error: first['x-error'] };
      const params = example.params.map(({ value }) => value);
      const got = await router.call(method.name, params);
      expect(got, `${method.name}, ${example.name}`).toEqual(answer);
    }
    const shadowed = examples.filter(({ example }) => example['x-setup'] === 'upstream-down');
    expect(shadowed).toHaveLength(1);
  });

  test('answers an example of an error by name as by position, unless it has methods', async () => {
    const failing = {
      name: 'fail',
      paramStructure: 'either',
      params: [{ name: 'code', schema: { type: 'integer' } }],
      result: { name: 'r', schema: { type: 'integer' } },
      examples: [
        {
          name: 'it fails',
          params: [{ name: 'code', value: 7 }],
          'x-error': { code: 7, message: 'no' },
        },
      ],
    };
    const router = await routerOf(documentOf([failing]));
    const error = { code: 7, message: 'no' };
    expect(await router.call('fail', [7])).toEqual({ error });
    expect(await router.call('fail', { code: 7 })).toEqual({ error });
    expect((await router.call('fail', [8])).error).toBeUndefined();
    const own = await routerOf(documentOf([failing]), { fail: async () => 1 });
    expect(await own.call('fail', [7])).toEqual({ result: 1 });
  });

  test('generates a valid result if no example matches, recursive or not', async () => {
    const router = await routerOf(document);
    expect(Number.isInteger((await router.call('math.add', [5])).result)).toBe(true);
    expect((await router.call('tree')).result).toHaveProperty('kids');
    expect((await router.call('log', { text: 'a' })).error).toBeUndefined();
  });

  test('rejects invalid params and unknown methods', async () => {
    const router = await routerOf(document);
    expect((await router.call('math.add', ['1'])).error?.code).toBe(-32602);
    expect((await router.call('math.add')).error?.code).toBe(-32602);
    expect((await router.call('none')).error?.code).toBe(-32601);
    expect(router.isMethodImplemented('tree')).toBe(true);
  });

  test('routes to custom methods', async () => {
    const router = await routerOf(document, { 'math.add': async (a: number, b: number) => a - b });
    expect(await router.call('math.add', [5, 3])).toEqual({ result: 2 });
  });

  test('works for a hard document', async () => {
    const router = await routerOf(hardDocument);
    expect((await router.call('getTree')).result).toHaveProperty('label');
    expect(await router.call('referring', ['a'])).toHaveProperty('result');
  });
});
