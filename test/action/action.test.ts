import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf, type Document } from '../generator/support/document.ts';
import { temporaryFolder, writeInto } from '../generator/support/folder.ts';
import { action, git, runAction } from './action-steps.ts';
import { hasProgram } from '../support/programs.ts';

describe('action.yml', () => {
  const { inputs, outputs, runs } = action;
  const text = JSON.stringify(runs.steps);

  test('is a composite action whose run steps name their shell', () => {
    expect(runs.using).toBe('composite');
    for (const { name, run, shell, uses } of runs.steps) {
      expect(name).toBeTruthy();
      expect((run === undefined) !== (uses === undefined), name).toBe(true);
      if (run !== undefined) expect(shell, name).toBe('bash');
      if (uses !== undefined) expect(uses, name).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
    }
  });

  test('passes inputs to scripts as environment variables, so that they cannot run as code', () => {
    for (const { run = '', name } of runs.steps) expect(run, name).not.toContain('${{');
  });

  test('describes and uses every input, and takes outputs from existing steps', () => {
    for (const [name, { description }] of Object.entries(inputs)) {
      expect(description.length, name).toBeGreaterThan(20);
      expect(text, name).toContain(`\${{ inputs.${name} }}`);
    }
    const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name!);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(used));
    for (const { value } of Object.values(outputs)) {
      const [, id] = /^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)!;
      expect(runs.steps.map((step) => step.id)).toContain(id);
    }
  });

  test('still compares and checks when lint fails', () => {
    const conditions = runs.steps.slice(2).map((step) => step.if);
    expect(new Set(conditions)).toEqual(new Set(['${{ !cancelled() }}']));
  });
});

describe.skipIf(!hasProgram('git', 'the action in a repository'))('in a repository', () => {
  const first = documentOf([
    { ...methodOf('getUser', { type: 'string' }), summary: 'Returns a user.' },
    { ...methodOf('getPost', { type: 'string' }), summary: 'Returns a post.' },
  ]);
  const methods = first['methods'] as readonly Document[];

  /** A clone with the newest commit only, as actions/checkout makes it, and the commit before it. */
  function checkout(before: Document, after: Document): { folder: string; base: string } {
    const folder = temporaryFolder();
    const origin = join(folder, 'origin');
    mkdirSync(origin);
    git(origin, 'init', '--quiet', '--initial-branch', 'main');
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    for (const document of [before, after]) {
      writeInto(origin, 'openrpc.json', `${JSON.stringify(document, null, 2)}\n`);
      git(origin, 'add', '.');
      git(origin, 'commit', '--quiet', '--allow-empty', '--message', 'Change the document');
    }
    git(folder, 'clone', '--quiet', '--depth', '1', `file://${origin}`, 'clone');
    return { folder: join(folder, 'clone'), base: git(origin, 'rev-parse', 'HEAD~1') };
  }

  test('annotates lines with lint findings and breaking changes, and fails', () => {
    const broken = {
      ...methods[0],
      params: [{ name: 'id', schema: { type: 'integer', default: 'x' } }],
    };
    const { folder, base } = checkout(first, { ...first, methods: [broken] });
    const { codes, log, summary, output } = runAction(folder, { base, document: 'openrpc.json' });
    expect(codes).toEqual({
      'Install Specgate': 0,
      Lint: 1,
      'Compare with the base': 1,
      'Check what was generated': 0,
      'Verify a server': 0,
    });
    expect(log).toMatch(/^::error file=openrpc\.json,line=16,col=13,title=default-valid::/m);
    expect(log).toMatch(
      /^::error file=openrpc\.json,line=\d+,col=\d+,title=method-removed-without-deprecation::.*getPost/m,
    );
    expect(summary).toContain('getPost');
    expect(output).toBe('breaking=true\n');
  });

  test('passes a compatible change, compared with a named branch', () => {
    const added = { ...methods[0], name: 'getTag', summary: 'Returns a tag.' };
    const info = { title: 'Test', version: '1.1.0' };
    const { folder } = checkout(first, { ...first, info, methods: [...methods, added] });
    git(join(folder, '../origin'), 'branch', 'release', 'HEAD~1');
    const { codes, log, output } = runAction(folder, { base: 'release', sarif: 'lint.sarif' });
    expect(codes).toMatchObject({ Lint: 0, 'Compare with the base': 0 });
    expect(log).not.toContain('::error');
    expect(output).toBe('breaking=false\n');
    const sarif = JSON.parse(readFileSync(join(folder, 'lint.sarif'), 'utf8')) as object;
    expect(sarif).toMatchObject({ version: '2.1.0' });
  });

  test('compares nothing without a base or when the document is new', () => {
    const { folder, base } = checkout(first, first);
    writeInto(folder, 'new.json', JSON.stringify(first));
    const fresh = runAction(folder, { base, document: 'new.json' });
    expect(fresh.codes['Compare with the base']).toBe(0);
    expect(fresh.log).toContain('::notice title=specgate diff::new.json is new');
    expect(runAction(folder, {}).log).toContain('Nothing to compare with');
  });

  test('annotates what a running server does otherwise than the document', () => {
    const { folder } = checkout(first, first);
    // No server listens on this port: the blocked process of the test could not serve one.
    const { codes, log } = runAction(folder, { verify: 'http://127.0.0.1:1/' });
    expect(codes['Verify a server']).toBe(1);
    expect(log).toMatch(/^::error file=openrpc\.json,line=\d+,col=\d+,title=response-received::/m);
    expect(runAction(folder, {}).log).toContain('No server to verify');
  });

  test('names files that were generated from an older document', () => {
    const { folder } = checkout(first, first);
    writeInto(
      folder,
      'specgate.config.yaml',
      'documents: [{ document: openrpc.json, targets: [errors] }]\n',
    );
    writeInto(folder, 'generated/errors.ts', '');
    const { codes, log } = runAction(folder, {});
    expect(codes['Check what was generated']).toBe(1);
    expect(log).toMatch(
      /^::error file=generated\/errors\.ts,line=1,col=1,title=generated-stale::/m,
    );
  });
});
