/** A name of a document may be one that every object of JavaScript inherits, whatever the verb. */
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { emitPackage } from '../client/emit.ts';
import { sendJson, serveHttp } from '../client/servers.ts';
import { startMock } from '../../src/main/mock.ts';
import { startProxy } from '../../src/main/proxy.ts';
import { makeValue } from '../../common/make-value/make-value.ts';
import { python, runPython, writePython } from '../python/support/python.ts';
import { diffOf } from './diff/support/documents.ts';
import { loadModel } from '../../generator/document.ts';
import { positionalParams, type VerifiedMethod } from '../../generator/verify/contract.ts';
import type { JsonObject } from '../../common/json/value.ts';
import { lint } from './lint/lint.ts';
import { documentOf, methodOf, modelOf, readerOf, type Document } from './support/document.ts';
import { temporaryFolder, typeErrors } from './support/folder.ts';
import {
  documentNaming,
  INHERITED,
  mutations,
  PLAIN,
  valueNaming,
} from './support/inherited-names.ts';
import { render, validatorsOf } from './support/render.ts';
import { renderSite } from './targets/docs/support.ts';

const document = documentNaming(INHERITED);

/** What was found, as it would be with the plain name. */
const asPlain = (name: string, found: unknown): unknown =>
  JSON.parse(JSON.stringify(found).replaceAll(name, PLAIN));

const linted = async (changed: Document) =>
  (await lint(changed, { extends: 'strict' })).map(({ code, pointer, message, fix }) => ({
    code,
    pointer,
    message,
    fix,
  }));

/** Without the subject, which may be the name of a type. */
const compared = async (old: Document, fresh: Document) =>
  (await diffOf(old, fresh)).changes.map(({ kind, severity, old: before, new: after, what }) => ({
    kind,
    severity,
    before,
    after,
    what,
  }));

describe.each(mutations)('$what', async ({ mutate }) => {
  const found = async (name: string) => [
    await linted(mutate(name)),
    await compared(documentNaming([name]), mutate(name)),
  ];
  let plain: unknown;
  beforeAll(async () => {
    plain = await found(PLAIN);
  });

  test.each(INHERITED)('is linted and compared as for any other name: %s', async (name) => {
    expect(asPlain(name, await found(name))).toEqual(plain);
  });
});

describe('a document of all these names', () => {
  test('gives code that compiles, and a site', async () => {
    const files = await render(document);
    expect(typeErrors(temporaryFolder([...files]))).toBe('');
    const site = await renderSite(await modelOf(document));
    for (const name of INHERITED) {
      expect([...site.values()].some((text) => text.includes(`>${name}<`))).toBe(true);
    }
  });

  test('keeps its components when they come from another file', async () => {
    const { components } = document as { readonly components: { readonly schemas: object } };
    const of = (name: string) => methodOf(name, { $ref: `file.json#/definitions/${name}` });
    const files = {
      'doc.json': documentOf(INHERITED.map(of)),
      'file.json': { definitions: components.schemas },
    };
    const local = JSON.stringify(files['file.json']).replaceAll(
      '#/components/schemas',
      '#/definitions',
    );
    const { schemas } = await loadModel('doc.json', readerOf({ ...files, 'file.json': local }));
    expect([...schemas.keys()].toSorted()).toEqual(INHERITED.toSorted());
    for (const { name, schema } of schemas.values()) {
      expect(schema).toEqual(Object.entries(components.schemas).find(([key]) => key === name)![1]);
    }
  });

  test('has names in pages and packages that are not code of JavaScript', async () => {
    const files = await render(document, 'python', 'docs', 'client', 'errors');
    const site = await renderSite(await modelOf(document));
    for (const [path, text] of [...files, ...site]) {
      if (!/\.(?:js|ts)$/.test(path)) expect(text).not.toMatch(/\[native code\]|\[object Object\]/);
    }
    expect(files.get('python/pyproject.toml')).toContain('version = "1.0.0.dev1"');
  });

  test('gives validators that check these members', async () => {
    const { validateParams, validateResult } = await validatorsOf(document);
    for (const name of INHERITED) {
      const good = valueNaming(name, 'a');
      expect(validateResult[name]!(good)).toEqual([]);
      expect(validateParams[name]!([good])).toEqual([]);
      expect(validateResult[name]!(valueNaming(name, 1))).toMatchObject([
        { pointer: `/${name}`, keyword: 'type' },
      ]);
      expect(validateResult[name]!({})).toMatchObject([{ keyword: 'required' }]);
    }
  });

  test('gives a server', async () => {
    const folder = temporaryFolder([...(await render(document, 'types', 'validators', 'server'))]);
    const { createDispatcher } = (await import(
      /* @vite-ignore */ `${pathToFileURL(folder).href}/server/index.ts`
    )) as { createDispatcher(handlers: object): (call: object, context: undefined) => unknown };
    const handlers = Object.fromEntries(
      INHERITED.map((name) => [name, ([value]: readonly unknown[]) => value]),
    );
    const dispatch = createDispatcher(handlers);
    for (const method of INHERITED) {
      const value = valueNaming(method, 'a');
      const params = Object.fromEntries([[method, value]]);
      expect(await dispatch({ method, params }, undefined)).toEqual({ result: value });
      expect(await dispatch({ method, params: {} }, undefined)).toMatchObject({
        error: { code: -32602 },
      });
    }
  });

  test('gives a client', async () => {
    await using emitted = await emitPackage(document);
    await using server = await serveHttp((response, { id, params }) =>
      sendJson(response, 200, { jsonrpc: '2.0', id, result: (params as unknown[])[0] }),
    );
    await emitted.write(
      'calls.ts',
      `import { createClient, http } from './src/index.ts';
const client = createClient({ transport: http({ url: process.env.RPC_URL!, batch: false }) });
const values: unknown[] = [];
for (const method of ${JSON.stringify(INHERITED)} as never[]) {
  const value = Object.fromEntries([[method, 'a']]);
  values.push(await client.request({ method, params: [value] } as never));
}
console.log(JSON.stringify(values));
client.close();
`,
    );
    const output = await emitted.run('calls.ts', { RPC_URL: server.url });
    expect(output.trim()).toBe(JSON.stringify(INHERITED.map((name) => valueNaming(name, 'a'))));
  });

  test.skipIf(python === null)('gives a package of Python', async () => {
    await using folder = await writePython(document);
    const { code, stderr } = await runPython(['-W', 'error', '-c', `import ${folder.module}`], {
      path: folder.path,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('is served by a mock and a proxy', async () => {
    const service = describeService(await modelOf(document));
    const errors: unknown[] = [];
    const violations: unknown[] = [];
    const address = { host: '127.0.0.1', port: 0 };
    const onError = (error: unknown) => void errors.push(error);
    await using stack = new AsyncDisposableStack();
    const mock = await startMock(service, { address, seed: 's', latency_ms: 0 }, onError);
    stack.defer(() => mock.stop());
    const proxy = await startProxy(
      service,
      { address, upstream: new URL(mock.http), headers: {}, fails: true },
      { onViolation: (violation) => void violations.push(violation), onError },
    );
    stack.defer(() => proxy.stop());
    for (const name of INHERITED) {
      for (const params of [
        [valueNaming(name, 'b')],
        Object.fromEntries([[name, valueNaming(name, 'b')]]),
      ]) {
        const { result } = (await post(proxy.http, name, params)) as { result: object };
        expect(service.methods.find((each) => each.name === name)!.validateResult!(result)).toEqual(
          [],
        );
      }
      expect(await post(proxy.http, name, [valueNaming(name, 1)])).toMatchObject({
        error: { code: -32602 },
      });
    }
    expect({ errors, violations: violations.length }).toEqual({
      errors: [],
      violations: INHERITED.length,
    });
  });

  test('has params that verify sends only if they are given', () => {
    for (const name of INHERITED) {
      const method = { params: [{ name }] } as unknown as VerifiedMethod;
      expect(positionalParams(method, valueNaming(name, 'a') as JsonObject)).toEqual(['a']);
      expect(positionalParams(method, {})).toEqual([null]);
    }
  });

  test('has values that a mock makes, also of combined schemas', () => {
    for (const name of INHERITED) {
      const part = (schema: object) => ({
        required: [name],
        properties: Object.fromEntries([[name, schema]]),
        ...Object.fromEntries([[name, { const: 1 }]]),
      });
      const parts = [part({ type: 'string' }), part({ minLength: 3 }), part({ maxLength: 3 })];
      const schema = { type: 'object', allOf: [{ properties: {} }, ...parts] };
      expect(makeValue(schema, { validate: () => [] }, [name])).toEqual({
        value: valueNaming(name, expect.stringMatching(/^...$/s)),
      });
      const formatted = { type: 'string', format: name, minLength: 3, maxLength: 3 };
      expect(makeValue(formatted, { validate: () => [] }, [name])).toEqual({
        value: expect.stringMatching(/^...$/s),
      });
    }
  });
});

async function post(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}
