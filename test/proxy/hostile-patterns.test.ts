import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../generator/support/document.ts';

/** For an answer that comes at once, or never. */
const PATIENCE_MS = 20_000;

const text = { type: 'string', pattern: '^(a+)+$' };
const document = documentOf([
  {
    name: 'echo',
    params: [{ name: 'text', required: true, schema: text }],
    result: { name: 'text', schema: text },
  },
]);

/** Processes of their own: one that hangs takes the test with it otherwise. */
const children: ChildProcess[] = [];

async function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['bin/specgate.js', ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[^\s"]+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`specgate ${args[0]} did not print where it listens`);
}

async function echo(url: string, value: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: [value] }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return response.json();
}

describe('a document whose pattern JavaScript tries in more ways than anyone waits for', () => {
  let folder: string;
  let mock: string;
  let proxy: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'specgate-patterns-'));
    const spec = join(folder, 'openrpc.json');
    await writeFile(spec, JSON.stringify(document));
    mock = await run(['mock', spec]);
    proxy = await run(['proxy', '--spec', spec, '--upstream', mock]);
  });
  afterAll(async () => {
    for (const child of children) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
    await rm(folder, { recursive: true });
  });

  it.each(['mock', 'proxy'])('is served by specgate %s', async (verb) => {
    const url = verb === 'mock' ? mock : proxy;
    const refused = { error: { code: -32602 } };
    expect(await echo(url, `${'a'.repeat(60)}!`)).toMatchObject(refused);
    expect(await echo(url, `${'a'.repeat(900_000)}!`)).toMatchObject(refused);
    expect(await echo(url, 'aaa')).toMatchObject({ result: expect.stringMatching(/^a+$/) });
  });
});
