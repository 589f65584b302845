/** Runs the vectors of test/client/vectors with the Python client of openrpc.json. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readVectors } from '../client/vectors/format.ts';
import { startVectorServer, type VectorServer } from '../client/vectors/server.ts';
import { python, runPython } from './support/python.ts';

describe.skipIf(python === null)('the Python client', () => {
  let server: VectorServer;
  beforeAll(async () => {
    server = await startVectorServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.concurrent.each(['asyncio', 'sync'])(
    'does what every vector demands, %s',
    async (kind) => {
      const runner = join(import.meta.dirname, 'support/vectors.py');
      const { stdout, stderr, code } = await runPython(
        ['-W', 'error', runner, kind, server.http, server.ws],
        { timeoutMs: 120_000 },
      );
      // oxlint-disable-next-line no-console
      console.log(`Python, ${kind}: ${stdout.trimEnd().split('\n').at(-1)}`);
      expect(stderr).toBe('');
      expect(stdout).toBe(`${readVectors().length} vectors run\n`);
      expect(code).toBe(0);
    },
    150_000,
  );
});
