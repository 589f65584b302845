import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const document = documentOf([methodOf('getBlock', { type: 'string' })]);
const json = JSON.stringify(document);

/** A git repository with these files, none of them committed yet. */
function repositoryOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(Object.entries(files));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  return folder;
}

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

describe('specgate init', () => {
  test('writes the project file, the workflow and a baseline; lint is then clean', async () => {
    const cwd = repositoryOf({ 'api/openrpc.yaml': stringify(document), 'package.json': '{}' });
    const { status, stdout } = await runSpecgate(['init'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain('found     api/openrpc.yaml: Test, 1 method\n');
    expect(stdout).toContain('lint: 0 errors, 1 warning (method-described 1)\n');
    expect(parse(read(cwd, 'specgate.config.yaml'))).toEqual({
      documents: [{ document: 'api/openrpc.yaml', targets: [] }],
      lint: { extends: 'recommended', baseline: 'specgate.lint-baseline.json' },
    });
    const workflow = parse(read(cwd, '.github/workflows/specgate.yml')) as {
      jobs: { specgate: { steps: readonly { uses: string }[] } };
    };
    expect(workflow.jobs.specgate.steps.map(({ uses }) => uses)).toEqual([
      'actions/checkout@v4',
      'OWNER/specgate@REF',
    ]);
    const linted = await runSpecgate(['lint', '--max-warnings', '0'], { cwd });
    expect({ status: linted.status, stderr: linted.stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('suppressed') as string,
    });
    expect(await runSpecgate(['check'], { cwd })).toMatchObject({
      status: 0,
      stdout: 'nothing to check: no code is generated from the documents of the project file\n',
    });
    expect((await runSpecgate(['generate'], { cwd })).stdout).toBe(
      'nothing to generate: no document of the project file has targets\n',
    );
  });

  test('writes nothing if the folder of the workflow is a symbolic link', async () => {
    const cwd = repositoryOf({ 'openrpc.json': json });
    symlinkSync(temporaryFolder([]), join(cwd, '.github'));
    const { status, stderr } = await runSpecgate(['init'], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(
      '.github: this is a symbolic link, which is not followed; nothing was',
    );
    expect(existsSync(join(cwd, 'specgate.config.yaml'))).toBe(false);
  });

  test('runs no program that a repository within the folder, or its own configuration, names', async () => {
    const script = '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n';
    const cwd = repositoryOf({ 'openrpc.json': json, 'monitor.sh': script });
    const monitor = join(cwd, 'monitor.sh');
    chmodSync(monitor, 0o755);
    execFileSync('git', ['config', 'core.fsmonitor', monitor], { cwd });
    // A clone brings the files of a bare repository along, its configuration included.
    const inner = temporaryFolder([
      ['HEAD', 'ref: refs/heads/main\n'],
      ['objects/.keep', ''],
      ['refs/.keep', ''],
      ['config', `[core]\n\tbare = false\n\tworktree = work\n\tfsmonitor = ${monitor}\n`],
      ['work/openrpc.json', json],
    ]);
    for (const folder of [cwd, inner, join(inner, 'work')]) {
      expect((await runSpecgate(['init'], { cwd: folder })).stdout).toContain('openrpc.json');
      expect(existsSync(join(cwd, 'ran'))).toBe(false);
    }
  });

  test('changes nothing when it is run again, or beside files of the user', async () => {
    const own = { 'specgate.config.yml': 'documents: [{ document: openrpc.json }]\n' };
    const cwd = repositoryOf({ 'openrpc.json': json, ...own });
    await runSpecgate(['init'], { cwd });
    const files = ['specgate.config.yml', '.github/workflows/specgate.yml'];
    const before = files.map((path) => read(cwd, path));
    const { status, stdout } = await runSpecgate(['init'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain('kept      specgate.config.yml\n');
    expect(stdout).toContain('kept      .github/workflows/specgate.yml\n');
    expect(files.map((path) => read(cwd, path))).toEqual(before);
    expect(existsSync(join(cwd, 'specgate.config.yaml'))).toBe(false);
  });

  test('leaves out copies and documents of tests, and finds other tools', async () => {
    const cwd = repositoryOf({
      'openrpc.json': json,
      'public/openrpc.json': json,
      'tests/other.json': JSON.stringify(documentOf([])),
      'data.json': '{"text":"openrpc: 1.3.2"}',
      '.spectral.yaml': 'extends: []',
      'package.json': '{"devDependencies":{"@open-rpc/generator":"1.0.0"}}',
    });
    const { stdout } = await runSpecgate(['init'], { cwd });
    expect(stdout).toContain(
      [
        'found     openrpc.json: Test, 1 method',
        'skipped   public/openrpc.json (identical to openrpc.json)',
        'skipped   tests/other.json (in a test or example folder)',
        'note      the repository uses @open-rpc/generator; see the docs page "Coming from other tools"',
        'note      the repository uses Spectral; see the docs page "Coming from other tools"',
      ].join('\n'),
    );
  });

  test.each([
    ['build:openrpc', 'npm ci && npm run build:openrpc'],
    ['openrpc:', '"npm ci && npm run openrpc:"'],
    [`openrpc${'-long'.repeat(20)}`, `npm ci && npm run openrpc${'-long'.repeat(20)}`],
  ])('runs the build step %s first in the workflow', async (script, run) => {
    const cwd = repositoryOf({
      '.gitignore': 'build\n',
      'build/openrpc.json': json,
      'package.json': JSON.stringify({ scripts: { test: 'vitest', [script]: 'node build.js' } }),
    });
    const { stdout } = await runSpecgate(['init'], { cwd });
    expect(stdout).toContain(
      'note      git ignores the documents; the workflow builds them first\n',
    );
    const workflow = read(cwd, '.github/workflows/specgate.yml');
    expect(workflow).toContain(`\n      - run: ${run}\n`);
    expect(() => parse(workflow) as unknown).not.toThrow();
  });

  test('puts no name of the repository into a command, and prints none raw', async () => {
    const title = 'A\n::error::b\u001B[31m\u202E';
    const script = 'openrpc; touch bad #\n      - run: echo bad';
    const cwd = repositoryOf({
      '.gitignore': '*.json\n',
      '::error::a\u001B[31m.json': JSON.stringify({ ...document, info: { title, version: '1' } }),
      'package.json': JSON.stringify({ scripts: { [script]: 'x', '-rf': 'openrpc' } }),
    });
    const { stdout } = await runSpecgate(['init'], { cwd });
    expect(stdout).toContain(
      'found     ::error::a\\u001b[31m.json: A ::error::b\\u001b[31m\\u202e, ',
    );
    expect(stdout).not.toMatch(/^\s*::/m);
    expect(stdout).not.toContain('\u001B');
    expect(read(cwd, '.github/workflows/specgate.yml')).toContain(
      '- run: npm ci && npm run build\n',
    );
  });

  test('works without git, and skips packages and hidden folders', async () => {
    const cwd = temporaryFolder([
      ['spec/openrpc.json', json],
      ['node_modules/a/openrpc.json', json],
      ['.cache/openrpc.json', json],
    ]);
    const { stdout } = await runSpecgate(['init'], { cwd });
    expect(stdout).toContain('found     spec/openrpc.json: Test, 1 method\nwritten');
  });

  test('reads no file outside of the folder, whatever its own folders are called', async () => {
    const outside = temporaryFolder([
      ['openrpc.json', JSON.stringify({ ...document, info: { title: 'Secret', version: '1' } })],
    ]);
    const cwd = repositoryOf({ [`file:${outside}/openrpc.json`]: json });
    const { status, stdout } = await runSpecgate(['init'], { cwd });
    expect(stdout).toContain(`found     file:${outside}/openrpc.json: Test, 1 method\n`);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.not.stringContaining('Secret'),
    });
    expect(parse(read(cwd, 'specgate.config.yaml'))).toMatchObject({
      documents: [{ document: `./file:${outside}/openrpc.json` }],
    });
    expect((await runSpecgate(['lint'], { cwd })).stdout).not.toContain('Secret');
  });

  test('lists a document that cannot be used, and exits with 1', async () => {
    const cwd = repositoryOf({ 'openrpc.json': '{"openrpc":"1.3.2","methods":{}}' });
    const { status, stdout } = await runSpecgate(['init'], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain('a document is invalid (2 errors); run specgate lint');
    expect(existsSync(join(cwd, 'specgate.lint-baseline.json'))).toBe(false);
  });

  test('writes nothing where there is no document, and names the build step', async () => {
    const cwd = repositoryOf({ 'package.json': '{"scripts":{"build":"make"}}', 'a.json': '{}' });
    const { status, stderr } = await runSpecgate(['init'], { cwd });
    expect(status).toBe(2);
    expect(stderr).toBe(
      'specgate: no OpenRPC document found: no JSON or YAML file in this folder has a top-level "openrpc" member; ' +
        'run npm run build if it generates the document, run specgate init in the folder of the document, ' +
        'or write specgate.config.yaml\n',
    );
    expect(existsSync(join(cwd, '.github'))).toBe(false);
  });
});
