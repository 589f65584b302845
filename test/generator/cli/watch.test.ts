import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder, writeInto } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const specgate = fileURLToPath(new URL('../../../bin/specgate.js', import.meta.url));

const document = JSON.stringify(documentOf([methodOf('a', { $ref: 'part.json' })]));

test('generate --watch follows the document and its parts, outlives mistakes and ends on SIGINT', async () => {
  const folder = temporaryFolder([
    ['openrpc.json', document],
    ['part.json', '{"type":"string"}'],
    ['specgate.config.yaml', 'documents: [{ document: openrpc.json, targets: [types] }]'],
  ]);
  const child = spawn(process.execPath, [specgate, 'generate', '--watch'], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (text) => (said += String(text)));
  child.stderr.on('data', (text) => (said += String(text)));
  const types = () => readFileSync(join(folder, 'generated/types.ts'), 'utf8');

  /** Waits until it has said something new, and then waits for changes again. */
  async function hears(pattern: RegExp): Promise<void> {
    await vi.waitFor(() => expect(said).toMatch(pattern), { timeout: 20_000, interval: 50 });
    await vi.waitFor(
      () => expect(said).toMatch(/watching 3 files; press Ctrl-C to stop\n$/),
      20_000,
    );
    said = '';
  }

  await hears(/^written {3}generated\/types\.ts\n/);
  expect(types()).toContain('[value: part]');
  writeInto(folder, 'part.json', '{"type":"integer"}');
  await hears(/^written {3}generated\/types\.ts\n/);
  expect(types()).toContain('type part = number');

  writeInto(folder, 'part.json', '{"type":');
  await hears(/^part\.json:1:9: invalid JSON: .*; correct the syntax at this position/);
  rmSync(join(folder, 'part.json'));
  await hears(/^openrpc\.json:1:\d+ #\S+: the reference "part\.json" cannot be followed/);
  expect(types()).toContain('type part = number');
  writeInto(folder, 'part.json', '{"type":"boolean"}');
  await hears(/^written {3}generated\/types\.ts\n/);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('standard input cannot be watched', async () => {
  const { status, stderr } = await runSpecgate(['generate', '-', '--watch'], { input: document });
  expect(status).toBe(2);
  expect(stderr).toMatch(/standard input cannot be watched: pass a file/);
});
