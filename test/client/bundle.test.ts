/** The bundle size of the client, and the behavior of bundled code. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document } from '../support/document.ts';
import { bundle, gzipped } from './bundle.ts';
import { type ClassOf, checkRun } from './vectors/check.ts';
import { readVectors } from './vectors/format.ts';
import { type ClientPackage, runVector } from './vectors/run.ts';
import { startVectorServer, type VectorServer } from './vectors/server.ts';

/** Every method has an entry in the tables of prices and names that each call needs. */
const BASE_BYTES = 2_832;
const METHOD_BYTES = 24;

/** The program in the README, which the client's guide names beside the size. */
const [, oneCall = ''] = /^```ts\n(.*?)^```/ms.exec(
  readFileSync(new URL('../../README.md', import.meta.url), 'utf8'),
)!;

test("the bundle of README's program is as small as the guide says and has no unused code", async () => {
  const text = await bundle(oneCall.replace('./generated/client/src/index.ts', 'client'));
  const guide = readFileSync(
    new URL('../../docs-site/content/guides/client.md', import.meta.url),
    'utf8',
  );
  expect(guide).toContain('The program in the README is 3.0 KiB (at most 3,096 bytes');
  expect(gzipped(text)).toBeLessThanOrEqual(BASE_BYTES + METHOD_BYTES * document.methods.length);
  for (const unused of ['WebSocket', 'rawJSON', 'CreditsExhausted', 'setInterval', 'violations']) {
    expect(text).not.toContain(unused);
  }
});

test('an unused import leaves nothing in the bundle', async () => {
  expect(await bundle(`import 'client';`)).toBe('');
  expect(await bundle(`import * as client from 'client';`)).toBe('');
});

const classOf: ClassOf = (error) => {
  const { name, reason, code } = error as { name: string; reason?: string; code?: number };
  // An unknown reason has a name, but no class.
  return reason === 'moon_phase' && code === 403 ? 'RpcError' : name;
};

describe.each([
  ['HTTP', 'http', 'http'],
  ['WebSocket', 'websocket', 'webSocket'],
])('the minified bundle of calls over %s', (_, kind, transport) => {
  let server: VectorServer;
  let sdk: ClientPackage;
  beforeAll(async () => {
    server = await startVectorServer();
    const names = `createClient, ${transport}, exactJson`;
    const text = await bundle(`import { ${names} } from 'client'; export { ${names} };`);
    sdk = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as ClientPackage;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const vectors = readVectors().filter((vector) => vector.transport === kind);
  test.concurrent.each(vectors.map((vector) => [vector.name, vector] as const))(
    'passes: %s',
    async (_, vector) => checkRun(vector, await runVector(vector, { server, sdk }), classOf),
  );
});
