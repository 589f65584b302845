/** The generated Python client, as a partner uses it, against the gateway. */
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { everyExample } from '../support/document.ts';
import { python, runPython } from '../python/support/python.ts';

const script = join(import.meta.dirname, '../python/support/examples.py');
const document = join(import.meta.dirname, '../../openrpc.json');

describe.skipIf(python === null)('the generated Python client', () => {
  test.each(['http', 'ws'] as const)(
    'gives the result or the error of every example by its own method over %s, blocking and for asyncio',
    async (kind) => {
      const { networks } = inject('product');
      const urls = Object.entries(networks).map(([name, network]) => [name, network[kind]]);
      const { stdout, stderr } = await runPython([
        '-W',
        'error',
        script,
        document,
        JSON.stringify(Object.fromEntries(urls)),
      ]);
      const live = everyExample().filter(({ example }) => example['x-setup'] === undefined);
      expect(stderr).toBe('');
      expect(stdout).toBe(`${live.length} examples sync\n${live.length} examples asyncio\n`);
    },
  );
});
