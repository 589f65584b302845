import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import openrpc from '../../openrpc.json' with { type: 'json' };
import { consumerProject, type EmittedPackage, emitPackage } from './emit.ts';
import awkward from './fixtures/awkward.json' with { type: 'json' };
import { sendJson, sendResult, serveHttp } from './servers.ts';

const name = 'universal-thing-api-client';

describe('the package of a document with awkward names', () => {
  let emitted: EmittedPackage;
  beforeAll(async () => {
    emitted = await emitPackage(awkward);
    expect(await emitted.compile('tsconfig.json')).toBe('');
    await emitted.write('check/tsconfig.json', consumerProject);
  });
  afterAll(() => emitted[Symbol.asyncDispose]());

  test('has typed calls that reject what the document does not allow', async () => {
    await emitted.write(
      'check/types.ts',
      `import { createClient, http, NoSuchThingError, RpcError, TransportError, TimeoutError,
  TimeoutErrorOfService, TypeErrorOfService, type Client, type ServiceError } from '${name}';
import type { Client as ClientSchema, Transport } from '${name}/types';

export const client: Client = createClient({ transport: http({ url: 'http://h/' }), timeoutMs: 5 });
const signal = new AbortController().signal;

// by position
export const things: Promise<ClientSchema[]> = client.thingsGetAll('a');
void client.thingsGetAll('a', 2, { signal, timeoutMs: 1 });
void client.thingsGetAll('a', undefined, { signal });
// @ts-expect-error the first parameter is required
void client.thingsGetAll();
// @ts-expect-error it is a string
void client.thingsGetAll(1);
// @ts-expect-error there is no such call option
void client.thingsGetAll('a', 2, { abort: signal });
// @ts-expect-error there is no fourth argument
void client.thingsGetAll('a', 2, {}, 4);

// optional before required
export const nothing: Promise<null> = client.thingsUnderscoreGetUnderscoreAll(undefined, 'a');
// @ts-expect-error the second is required
void client.thingsUnderscoreGetUnderscoreAll(true);

// by name
void client.search({ 'the query': 'x', limit: 3 }, { signal });
// @ts-expect-error a parameter is missing
void client.search({ limit: 3 });
// @ts-expect-error there is no such parameter
void client.search({ 'the query': 'x', most: 3 });
// @ts-expect-error by name only
void client.search('x');
void client.settings({ signal });

// either
export const count: Promise<number> = client.range(undefined, 2);

// a notification
export const logged: Promise<void> = client.log('line');

// names that are taken
void client.requestMethod();
void client.thenMethod();
export const awaited: Promise<Client> = (async () => client)();

// by the method's own name
export const listed: Promise<ClientSchema[]> = client.request({ method: 'things.get-all', params: ['a', 1] });
void client.request({ method: 'search', params: { 'the query': 'x' } });
void client.request({ method: 'range', params: { to: 2 } });
void client.request({ method: 'range', params: [1] });
export const other: Promise<unknown> = client.request({ method: 'not_in_the_document', params: [1] });
// @ts-expect-error the parameters are missing
void client.request({ method: 'things.get-all' });
// @ts-expect-error the first is a string
void client.request({ method: 'things.get-all', params: [1] });
// @ts-expect-error by name only
void client.request({ method: 'search', params: ['x'] });

// errors
export function explain(error: unknown): string {
  if (error instanceof NoSuchThingError) {
    const code: 7 = error.code;
    return \`\${code}\`;
  }
  if (error instanceof TimeoutErrorOfService || error instanceof TypeErrorOfService) return error.method;
  if (error instanceof TransportError) return error.reason;
  if (error instanceof TimeoutError) return \`\${error.timeoutMs}\`;
  return error instanceof RpcError ? error.message : '';
}
export function discriminate(error: ServiceError): 7 | null {
  return error.code === 7 ? error.code : null;
}
export const ride: Transport = 'bus';
`,
    );
    expect(await emitted.compile('check/tsconfig.json')).toBe('');
  });

  test('sends each call as documented, from the compiled package', async () => {
    await using server = await serveHttp((response, { id, method }) => {
      if (id === undefined) response.writeHead(204).end();
      else if (method !== 'toString') sendResult(response, id, method);
      else sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: 8, message: 'slow' } });
    });
    await emitted.write(
      'check/calls.js',
      `import { createClient, http } from '${name}';
const client = await createClient({ transport: http({ url: process.env.RPC_URL }) });
const results = [
  await client.thingsGetAll('a'),
  await client.thingsUnderscoreGetUnderscoreAll(undefined, 'a'),
  await client.search({ 'the query': 'x' }),
  await client.settings(),
  await client.range(1),
  await client.range(undefined, 2),
  await client.log('line'),
  await client.requestMethod(),
  await client.request({ method: 'log', params: ['line'] }),
  await client.request({ method: '1st' }),
  await client.toStringMethod().catch((error) => [error.name, error.code, error.message]),
];
console.log(JSON.stringify(results));
`,
    );
    const output = await emitted.run('check/calls.js', { RPC_URL: server.url });
    expect(server.seen.map(({ method, params }) => [method, params])).toEqual([
      ['things.get-all', ['a']],
      ['things_get_all', [null, 'a']],
      ['search', { 'the query': 'x' }],
      ['settings', {}],
      ['range', [1]],
      ['range', { to: 2 }],
      ['log', ['line']],
      ['request', []],
      ['log', ['line']],
      ['1st', undefined],
      ['toString', []],
    ]);
    expect(JSON.parse(output).at(-1)).toEqual(['TimeoutErrorOfService', 8, 'slow']);
  });
});

describe.each([
  ['awkward names', awkward],
  ['openrpc.json', openrpc],
])('the package of %s', (_, document) => {
  test('has README examples that type-check', async () => {
    await using emitted = await emitPackage(document);
    expect(await emitted.compile('tsconfig.json')).toBe('');
    await emitted.write('check/tsconfig.json', consumerProject);
    const readme = await readFile(`${emitted.folder}/README.md`, 'utf8');
    const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);
    expect(blocks.length).toBeGreaterThan(2);
    for (const [index, code] of blocks.entries()) {
      await emitted.write(`check/example-${index}.ts`, `${code}\nexport {};\n`);
    }
    expect(await emitted.compile('check/tsconfig.json')).toBe('');
  });
});

test('the types of errors in openrpc.json follow from code and reason', async () => {
  await using emitted = await emitPackage(openrpc);
  expect(await emitted.compile('tsconfig.json')).toBe('');
  await emitted.write('check/tsconfig.json', consumerProject);
  await emitted.write(
    'check/errors.ts',
    `import { credits, CreditsExhaustedError, ExecutionRevertedError, type ServiceError }
  from 'blockchain-node-json-rpc-service-client';
export const cost: 150 = credits.eth_getProof;
export function when(error: ServiceError): string | undefined {
  if (error.code === 402) return error.data.resetsAt;
  if (error.code === 3) return error.data;
  if (error.reason === 'rate_limited') return String(error.data.retryAfterMs);
  // @ts-expect-error other errors have no such member
  return error.data.resetsAt;
}
export function why(error: CreditsExhaustedError | ExecutionRevertedError): string | null {
  return error instanceof ExecutionRevertedError ? error.revertReason : error.resetsAt ?? error.data.reason;
}
`,
  );
  expect(await emitted.compile('check/tsconfig.json')).toBe('');
});
