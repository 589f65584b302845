import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { documentOf, methodOf } from '../support/document.ts';
import { specgate, temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const document = documentOf([methodOf('a', { type: 'string' })]);
const text = JSON.stringify(document, null, 2);

describe('check', () => {
  async function generated(): Promise<string> {
    const folder = temporaryFolder([['openrpc.json', text]]);
    expect(await runSpecgate(['generate'], { cwd: folder })).toMatchObject({
      status: 0,
      stderr: '',
    });
    return folder;
  }

  test('prints nothing for a folder that is up to date: exit 0', async () => {
    const { status, stdout, stderr } = await runSpecgate(['check'], { cwd: await generated() });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+ files in generated match openrpc.json\n$/);
  });

  test('prints a command that a shell takes as it is, whatever the paths are', async () => {
    const cwd = temporaryFolder([['a;touch x.json', JSON.stringify(documentOf([]))]]);
    const args = ['check', 'a;touch x.json', '--out', 'b$(c)'];
    expect((await runSpecgate(args, { cwd })).stdout).toContain(
      "fix with: specgate generate 'a;touch x.json' --out 'b$(c)'\n",
    );
  });

  test('names edited, missing and extra files: exit 1', async () => {
    const folder = await generated();
    appendFileSync(join(folder, 'generated/types.ts'), ' ');
    rmSync(join(folder, 'generated/validators.js'));
    writeFileSync(join(folder, 'generated/extra.ts'), '');
    const { status, stdout } = await runSpecgate(['check'], { cwd: folder });
    expect(status).toBe(1);
    expect(stdout).toBe(
      [
        'stale     generated/types.ts',
        'missing   generated/validators.js',
        'orphaned  generated/extra.ts',
        'fix with: specgate generate openrpc.json --out generated\n',
      ].join('\n'),
    );
    const { stdout: json } = await runSpecgate(['check', '--format', 'json'], { cwd: folder });
    expect(JSON.parse(json)).toMatchObject({
      clean: false,
      stale: ['types.ts'],
      missing: ['validators.js'],
      orphaned: ['extra.ts'],
    });
  });

  test('names the files that a change of the document makes stale', async () => {
    const folder = await generated();
    writeFileSync(join(folder, 'openrpc.json'), text.replace('"string"', '"integer"'));
    const { status, stdout } = await runSpecgate(['check'], { cwd: folder });
    expect(status).toBe(1);
    expect(stdout).toContain('stale     generated/types.ts\nstale     generated/validators.js\n');
  });

  test('writes nothing', async () => {
    const folder = temporaryFolder([['openrpc.json', text]]);
    expect((await runSpecgate(['check'], { cwd: folder })).status).toBe(1);
    expect(() => readFileSync(join(folder, 'generated/types.ts'))).toThrow(/ENOENT/);
  });
});

describe('generate', () => {
  test('prints the files it wrote, and that nothing changed the second time', async () => {
    const folder = temporaryFolder([['spec.yaml', stringify(document)]]);
    const args = ['generate', 'spec.yaml', '--out', 'here', '--target', 'types', 'errors'];
    expect((await runSpecgate(args, { cwd: folder })).stdout).toBe(
      'written   here/errors.ts\nwritten   here/types.ts\n2 written, 0 unchanged, 0 removed\n',
    );
    expect(
      JSON.parse((await runSpecgate([...args, '--format', 'json'], { cwd: folder })).stdout),
    ).toEqual({
      out: 'here',
      written: [],
      unchanged: ['errors.ts', 'types.ts'],
      removed: [],
      orphaned: [],
    });
    expect(readFileSync(join(folder, 'here/types.ts'), 'utf8')).toContain('from spec.yaml; do not');
  });

  test('reads standard input for -', async () => {
    const folder = temporaryFolder();
    const args = ['generate', '-', '--target', 'types'];
    expect((await runSpecgate(args, { cwd: folder, input: stringify(document) })).status).toBe(0);
    expect(readFileSync(join(folder, 'generated/types.ts'), 'utf8')).toContain(
      'from stdin; do not',
    );
  });

  test('reads a URL, and reports the status of a server without the document', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/openrpc.json' ? 200 : 404;
      response.end(text);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cwd = temporaryFolder();
    const found = await runSpecgate(['generate', `${base}/openrpc.json`, '-t', 'types'], { cwd });
    expect(found).toMatchObject({ status: 0, stderr: '' });
    const none = await runSpecgate(['generate', `${base}/none.json`], { cwd });
    expect(none).toMatchObject({
      status: 2,
      stderr: `${base}/none.json: the server returned HTTP 404; check the address\n`,
    });
  });
});

describe('unusable input exits with 2 and one line: what, where and the fix', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder([
      ['bad.json', '{"a":1,}'],
      ['two.json', '{"openrpc":"1.3.2","info":{"title":"x"},"methods":[{"name":1,"params":[]}]}'],
      ['good.json', text],
      ['taken', ''],
    ]);
  });

  test.each<[string, readonly string[], string | RegExp]>([
    ['no such file', ['check', 'none.json'], 'none.json: file not found; check the path\n'],
    ['a folder', ['check', '.'], '.: this is a folder; name the document in it\n'],
    [
      'an address of an unsupported kind',
      ['check', 'urn:example:api'],
      'urn:example:api: unsupported URL scheme; use http, https or a path\n',
    ],
    [
      'a syntax error',
      ['check', 'bad.json'],
      /^bad.json:1:8: invalid JSON: .*; correct the syntax at this position\n$/,
    ],
    [
      'every error in a document',
      ['generate', 'two.json'],
      /^two.json:1:20 #\/info\/version: missing; add it\ntwo.json:1:53 #\/methods\/0\/name: expected a string, got 1; make it a string\n$/,
    ],
    [
      'nothing on standard input',
      ['check', '-'],
      '<stdin>: standard input is empty; pipe a document into it\n',
    ],
    [
      'an unknown host',
      ['check', 'http://127.0.0.1:1/x.json'],
      /^http:\/\/127.0.0.1:1\/x.json: cannot be downloaded \(.+\); check the address and the network\n$/,
    ],
    [
      'a target that does not exist',
      ['generate', 'good.json', '-t', 'typos'],
      /^specgate: .*'typos' is invalid. Allowed choices are types, /,
    ],
    ['an unknown option', ['check', '--loud'], /^specgate: unknown option '--loud'/],
    ['an unknown verb', ['chek'], /^specgate: unknown command 'chek'\n\(Did you mean check\?\)\n$/],
    [
      'an output folder that is a file',
      ['generate', 'good.json', '--out', 'taken'],
      'taken: expected a folder, got a file: nothing was written; move or remove the file, or choose another folder (--out)\n',
    ],
  ])('%s', async (_, args, expected) => {
    const { status, stderr } = await runSpecgate(args, { cwd: folder, input: '' });
    if (typeof expected === 'string') expect(stderr).toBe(expected);
    else expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(2);
  });
});

describe('help', () => {
  test.each([[['--help']], [['generate', '--help']], [['check', '--help']], [['help', 'check']]])(
    '%j has an example',
    async (args) => {
      const { status, stdout } = await runSpecgate(args);
      expect(status).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}\$ specgate /);
    },
  );

  test('lists every verb with what it does', async () => {
    const { stdout } = await runSpecgate(['--help']);
    expect(stdout).toMatch(/generate\s+write types/);
    expect(stdout).toMatch(/check\s+check that generated/);
  });

  test('the version is the package’s', async () => {
    expect((await runSpecgate(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('as a process', () => {
  test('exits with the exit code and prints only the result', () => {
    const folder = temporaryFolder([['openrpc.json', text]]);
    const done = specgate(['generate', '-', '-t', 'types'], { cwd: folder, input: text });
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toMatch(/1 written, 0 unchanged, 0 removed\n$/);
    const none = specgate(['check', 'none.json'], { cwd: folder });
    expect(none).toEqual({
      status: 2,
      stdout: '',
      stderr: 'none.json: file not found; check the path\n',
    });
  });

  const full = '/dev/full';

  test.skipIf(!existsSync(full))('reports output that cannot be written', () => {
    const folder = temporaryFolder([['openrpc.json', text]]);
    const message =
      'specgate: cannot write the output (ENOSPC); check the space left and permissions\n';
    expect(specgate(['bundle', 'openrpc.json', '--out', full], { cwd: folder })).toMatchObject({
      status: 2,
      stderr: message,
    });
    const stdout = openSync(full, 'w');
    onTestFinished(() => closeSync(stdout));
    const entry = join(import.meta.dirname, '../../../bin/specgate.js');
    const { status, stderr } = spawnSync(process.execPath, [entry, 'bundle', 'openrpc.json'], {
      cwd: folder,
      stdio: ['ignore', stdout, 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: message });
  });
});

describe('a document from a server', () => {
  /** Serves by path: a text, or where to send on to. */
  async function serve(paths: Readonly<Record<string, string | { readonly to: string }>>) {
    const server = createServer((request, response) => {
      const found = paths[request.url ?? ''];
      if (typeof found === 'object') response.writeHead(302, { location: found.to });
      else if (found?.startsWith('<')) response.setHeader('content-type', 'text/html');
      response.end(typeof found === 'string' ? found : '');
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const types = ['--target', 'types'];

  test('may redirect, and its references are relative to the final address', async () => {
    const split = documentOf([methodOf('a', { $ref: 'part.json' })]);
    const base = await serve({
      '/latest': { to: '/v1/openrpc.json' },
      '/v1/openrpc.json': JSON.stringify(split),
      '/v1/part.json': '{"type":"string"}',
    });
    const done = await runSpecgate(['generate', `${base}/latest`, ...types], {
      cwd: temporaryFolder(),
    });
    expect(done).toMatchObject({ status: 0, stderr: '' });
  });

  test.each<[string, RegExp]>([
    ['/loop', /: the server redirects more than 5 times; check the address\n$/],
    ['/file', /: the server redirects to "file:\/\/\/etc\/hostname"; check the address\n$/],
    ['/page', /: the server returned a web page, not a document; give the address of the file/],
  ])('at %s is refused', async (path, expected) => {
    const base = await serve({
      '/loop': { to: '/loop' },
      '/file': { to: 'file:///etc/hostname' },
      '/page': '<!doctype html>',
    });
    const { status, stderr } = await runSpecgate(['check', base + path]);
    expect(status).toBe(2);
    expect(stderr).toMatch(expected);
  });
});
