/** The generated Python client against the gateway. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { everyExample } from '../support/document.ts';
import { python, runPython } from '../python/support/python.ts';

const script = join(import.meta.dirname, '../python/support/examples.py');
const runner = join(import.meta.dirname, '../python/support/run_blocks.py');
const wrongKey = join(import.meta.dirname, '../python/support/wrong_key.py');
const document = join(import.meta.dirname, '../../openrpc.json');

/** Returns the Python code of a page, with the addresses of the running networks. */
function blocksOf(page: string): readonly string[] {
  const { evm, solana, archive } = inject('product').networks;
  const hosts = { 8545: evm, 8899: solana, 8547: archive };
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  return [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = '']) =>
    Object.entries(hosts).reduce(
      (code, [port, { http }]) => code.replaceAll(`127.0.0.1:${port}`, new URL(http).host),
      block,
    ),
  );
}

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

  test.each(['http', 'ws'] as const)(
    'raises the typed error of a wrong key over %s at once, from the caller’s line',
    async (kind) => {
      const url = inject('product').networks.evm[kind].replace(/demo$/, `sg_${'z'.repeat(43)}`);
      const { stdout, stderr } = await runPython([wrongKey, url]);
      expect(stderr).toBe('');
      expect(stdout).toBe(
        'KeyUnknownError 401 1 attempt sync\nKeyUnknownError 401 1 attempt asyncio\n',
      );
    },
  );

  test.each(['docs-site/content/guides/python.md', 'generated/python/README.md'])(
    'does what the Python in %s says, block by block',
    async (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'specgate-python-'));
      try {
        const blocks = blocksOf(page);
        const file = join(folder, 'blocks.json');
        writeFileSync(file, JSON.stringify(blocks));
        const { stdout, stderr } = await runPython([runner, file]);
        expect(stderr).toBe('');
        expect(stdout).toBe(`${blocks.length} blocks\n`);
        expect(blocks.length).toBeGreaterThan(4);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
