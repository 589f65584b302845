/** Runs the vectors with the TypeScript client of openrpc.json. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import * as sdk from '../../generated/client/src/index.ts';
import * as nodeSdk from '../../generated/client/src/node.ts';
import { type ClassOf, checkRun } from './vectors/check.ts';
import { readVectors } from './vectors/format.ts';
import { type ClientPackage, runVector } from './vectors/run.ts';
import { startVectorServer, type VectorServer } from './vectors/server.ts';

const vectors = readVectors();

let server: VectorServer;
let count = 0;
beforeAll(async () => {
  server = await startVectorServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  // oxlint-disable-next-line no-console
  console.log(`${count} vectors run`);
});

const classes = Object.entries(sdk).filter(
  ([name, value]) => name.endsWith('Error') && typeof value === 'function',
) as unknown as [string, new () => Error][];

/** Returns the most specific class of an error. */
const classOf: ClassOf = (error) => {
  const names = classes.filter(([, type]) => error instanceof type).map(([name]) => name);
  const general = ['RpcError', 'ClientError'];
  const special = names.find((name) => !general.includes(name));
  return special ?? general.find((name) => names.includes(name)) ?? (error as Error).name;
};

const files = Map.groupBy(vectors, ({ file }) => file);

describe.each([...files])('%s', (_, own) => {
  test.concurrent.each(own.map((vector) => [vector.name, vector] as const))(
    '%s',
    async (_, vector) => {
      count += 1;
      checkRun(vector, await runVector(vector, { server, sdk: sdk as ClientPackage }), classOf);
    },
  );
});

describe.each([
  ['the ws package', 'websocket', { sdk, more: { WebSocket: WsWebSocket } }],
  ['what the package is in Node', 'http', { sdk: nodeSdk }],
])('with %s', (_, kind, how) => {
  const own = vectors.filter(({ transport }) => transport === kind);
  test.concurrent.each(own.map((vector) => [vector.name, vector] as const))(
    '%s',
    async (_, vector) => {
      checkRun(
        vector,
        await runVector(vector, { server, ...(how as { sdk: ClientPackage; more?: object }) }),
        classOf,
      );
    },
  );
});

test('every vector runs', () => {
  expect(vectors.length).toBeGreaterThan(140);
});
