import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runSpecgate } from '../cli/in-process.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { hasProgram } from '../../support/programs.ts';

const text = (document: unknown) => JSON.stringify(document, null, 2);
const old = documentOf([methodOf('a', { type: ['string', 'null'] }), methodOf('b', {})]);
const breaking = documentOf([methodOf('a', { type: 'string' }), methodOf('b', {})]);
const harmless = documentOf([
  methodOf('a', { type: ['string', 'null'] }),
  methodOf('b', {}),
  methodOf('c', {}),
]);

function folderOf(files: Readonly<Record<string, unknown>>): string {
  return temporaryFolder(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : text(content),
    ]),
  );
}

const files = { 'old.json': old, 'breaking.json': breaking, 'harmless.json': harmless };

const hasGit = hasProgram('git', 'diff with a commit of git');

describe('diff', () => {
  test('reports breaking changes, their places in both documents and an example value: exit 1', async () => {
    const cwd = folderOf(files);
    const { status, stdout, stderr } = await runSpecgate(['diff', 'old.json', 'breaking.json'], {
      cwd,
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain('breaking.json:16:13 #/methods/0/params/0/schema/type');
    expect(stdout).toContain(
      'error request-null-disallowed: a, parameter "value": null is no longer allowed',
    );
    expect(stdout).toContain('before: old.json:16:13 #/methods/0/params/0/schema/type');
    expect(stdout).toMatch(
      /version: 1\.0\.0 → 1\.0\.0; the changes require at least 2\.0\.0 \(major\)\n$/,
    );
  });

  test('names the kind of version when the documents have none', async () => {
    const info = { title: 'Test' };
    const cwd = folderOf({ 'old.json': { ...old, info }, 'new.json': { ...breaking, info } });
    const { stdout } = await runSpecgate(['diff', 'old.json', 'new.json'], { cwd });
    expect(stdout).toMatch(/version: \(none\) → \(none\); the changes require a major version\n$/);
  });

  test('exits with 0 for compatible changes, and with 1 on request', async () => {
    const cwd = folderOf(files);
    const args = ['diff', 'old.json', 'harmless.json'];
    expect((await runSpecgate(args, { cwd })).status).toBe(0);
    expect((await runSpecgate([...args, '--fail-on', 'warning'], { cwd })).status).toBe(1);
    expect((await runSpecgate([...args, '--fail-on', 'info'], { cwd })).status).toBe(1);
    expect(
      (await runSpecgate(['diff', 'old.json', 'breaking.json', '--fail-on', 'never'], { cwd }))
        .status,
    ).toBe(0);
  });

  test('reports that nothing changed: exit 0', async () => {
    const { status, stdout } = await runSpecgate(['diff', 'old.json', 'old.json'], {
      cwd: folderOf(files),
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'no changes\nversion: 1.0.0 → 1.0.0; the changes do not require a new version\n',
    });
  });

  test('reads one of the two from standard input, JSON or YAML', async () => {
    const cwd = folderOf(files);
    const yaml = 'openrpc: 1.3.2\ninfo: { title: Test, version: 1.0.0 }\nmethods: []\n';
    const { status, stdout } = await runSpecgate(['diff', 'old.json', '-'], { cwd, input: yaml });
    expect(status).toBe(1);
    expect(stdout).toContain('a was removed without being deprecated first');
    expect((await runSpecgate(['diff', '-', '-'], { cwd })).status).toBe(2);
  });

  test('writes JSON, JUnit, GitHub, SARIF and Markdown', async () => {
    const cwd = folderOf(files);
    const run = async (format: string) =>
      (await runSpecgate(['diff', 'old.json', 'breaking.json', '--format', format], { cwd }))
        .stdout;
    const json = JSON.parse(await run('json')) as { diagnostics: { code: string }[] };
    expect(json).toMatchObject({
      clean: false,
      version: { old: '1.0.0', new: '1.0.0', required: 'major', lowest: '2.0.0' },
      counts: { error: 2 },
    });
    expect(json.diagnostics[0]).toMatchObject({
      code: 'request-null-disallowed',
      severity: 'error',
      bump: 'major',
      methods: ['a'],
      before: ['string', 'null'],
      after: 'string',
      old: { file: 'old.json', line: 16, pointer: '/methods/0/params/0/schema/type' },
    });
    expect(await run('junit')).toContain('<failure type="request-null-disallowed"');
    expect(await run('github')).toContain(
      '::error file=breaking.json,line=16,col=13,title=request-null-disallowed::',
    );
    expect(JSON.parse(await run('sarif'))).toMatchObject({ version: '2.1.0' });
    expect(await run('markdown')).toContain('## Breaking changes');
  });

  test('fetches nothing for a partial clone, whose remote may name a program', async ({ skip }) => {
    skip(!hasGit, 'Git is not installed');
    const cwd = temporaryFolder([
      ['openrpc.json', JSON.stringify(documentOf([methodOf('a', { type: 'string' })]))],
      ['fetch.sh', '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n'],
    ]);
    chmodSync(join(cwd, 'fetch.sh'), 0o755);
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' }).toString();
    git('init', '-q');
    git('add', 'openrpc.json');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first');
    const id = git('rev-parse', 'HEAD:openrpc.json').trim();
    rmSync(join(cwd, '.git/objects', id.slice(0, 2), id.slice(2)));
    const settings = {
      'core.repositoryformatversion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.url': 'ssh://git.example.org/x',
      'remote.origin.promisor': 'true',
      'core.sshCommand': join(cwd, 'fetch.sh'),
      'protocol.allow': 'always',
    };
    for (const setting of Object.entries(settings)) git('config', ...setting);
    const { stderr } = await runSpecgate(['diff', '--against', 'HEAD'], { cwd });
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
    expect(stderr).toBe(
      'HEAD:openrpc.json: git cannot read it (this clone lacks it); fetch it with git first\n',
    );
  });

  test('compares with a git commit, also split documents, and reports what git cannot read', async ({
    skip,
  }) => {
    skip(!hasGit, 'Git is not installed');
    const cwd = folderOf({
      'api/openrpc.json': documentOf([methodOf('a', { $ref: './types.json#/Id' })]),
      'api/types.json': { Id: { type: ['string', 'integer'] } },
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first');
    writeFileSync(join(cwd, 'api/types.json'), text({ Id: { type: 'string' } }));
    const args = ['diff', '--against', 'main', 'api/openrpc.json'];
    const { status, stdout } = await runSpecgate(args, { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain('request-type-narrowed');
    expect(stdout).toContain('before: main:api/types.json:');
    const missing = await runSpecgate(['diff', 'nobranch:api/openrpc.json', 'api/openrpc.json'], {
      cwd,
    });
    expect(missing.status).toBe(2);
    expect(missing.stderr).toMatch(
      /^nobranch:api\/openrpc\.json: git cannot read it .*; check the commit and the path, or write \.\/ before the path of a file\n$/,
    );
  });

  test('accepts approved changes until their date, and reports expired and unused approvals', async () => {
    const approval = (kind: string, until: string) => ({
      kind,
      method: 'a',
      reason: 'agreed',
      until,
    });
    const config = (...approved: object[]) => text({ diff: { approved } });
    const run = async (...approved: object[]) => {
      const cwd = folderOf({ ...files, 'specgate.config.json': config(...approved) });
      return runSpecgate(['diff', 'old.json', 'breaking.json', '--date', '2026-06-30'], { cwd });
    };
    const good = await run(approval('request-null-disallowed', '2026-06-30'));
    expect(good.status).toBe(0);
    expect(good.stdout).toContain('(approved until 2026-06-30: agreed)');
    const late = await run(approval('request-null-disallowed', '2026-06-29'));
    expect(late.status).toBe(1);
    expect(late.stdout).toContain(
      'approval-expired: the approval of request-null-disallowed of a expired on 2026-06-29',
    );
    const idle = await run(approval('param-removed', '2027-01-01'));
    expect(idle.stdout).toContain(
      'approval-unused: no change matches the approval of param-removed of a',
    );
    const cwd = folderOf({ ...files, 'approved.yaml': '- { kind: x, reason: y }' });
    const bad = await runSpecgate(
      ['diff', 'old.json', 'breaking.json', '--approved', 'approved.yaml'],
      { cwd },
    );
    expect(bad.status).toBe(2);
    expect(bad.stderr).toContain('approved.yaml:1:');
  });

  test('lists the kinds of changes', async () => {
    const { status, stdout } = await runSpecgate(['diff', '--list']);
    expect(status).toBe(0);
    expect(stdout).toContain('request-null-disallowed');
    expect(stdout).toMatch(/\n\d{3} kinds of changes\n$/);
    const json = JSON.parse(
      (await runSpecgate(['diff', '--list', '--format', 'json'])).stdout,
    ) as unknown[];
    expect(json.length).toBeGreaterThan(60);
  });

  test('prints one line per missing file: exit 2', async () => {
    const cwd = folderOf(files);
    const run = async (...args: string[]) => runSpecgate(['diff', ...args], { cwd });
    expect(await run('old.json')).toMatchObject({
      status: 2,
      stderr:
        'specgate: expected two documents; pass OLD and NEW, or one document with --against REF\n',
    });
    expect((await run('old.json', 'none.json')).stderr).toContain('none.json: file not found');
    expect((await run('old.json', 'old.json', '--date', 'soon')).status).toBe(2);
  });
});

describe('changelog', () => {
  test('writes release notes: breaking changes with their migration first, then the others', async () => {
    const cwd = folderOf({
      ...files,
      'new.json': documentOf([methodOf('a', { type: 'string' }), methodOf('c', true)]),
    });
    mkdirSync(join(cwd, 'out'));
    const { status, stdout } = await runSpecgate(['changelog', 'old.json', 'new.json'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toBe(
      [
        '# Test 1.0.0',
        '',
        'Since 1.0.0. These changes require at least 2.0.0 (major).',
        '',
        '## Breaking changes',
        '',
        '- b was removed without being deprecated first.',
        '  *What to do:* stop calling it; look for a replacement.',
        '- a, parameter "value": null is no longer allowed.',
        '  *What to do:* send only what is allowed now.',
        '',
        '## Added',
        '',
        '- c was added.',
        '',
      ].join('\n'),
    );
    const json = await runSpecgate(['changelog', 'old.json', 'new.json', '--format', 'json'], {
      cwd,
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      version: { required: 'major' },
      sections: [{ section: 'breaking' }, { section: 'added' }],
    });
  });
});
