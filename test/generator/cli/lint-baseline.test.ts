import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder, writeInto } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const folderOf = (files: Readonly<Record<string, unknown>>) =>
  temporaryFolder(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ]),
  );

describe('a baseline', () => {
  const one = { ...methodOf('a', { type: 'integer', default: 'x' }), summary: 'A.' };
  const another = { ...one, name: 'b' };

  test('suppresses known findings and fails for new ones', async () => {
    const cwd = folderOf({ 'openrpc.json': documentOf([one]) });
    const run = (...args: string[]) => runSpecgate(['lint', ...args], { cwd });
    expect(await run('--update-baseline')).toMatchObject({
      status: 0,
      stdout: '1 known finding written to specgate.lint-baseline.json\n',
    });
    const args = ['--baseline', 'specgate.lint-baseline.json'];
    expect(await run(...args)).toMatchObject({
      status: 0,
      stderr: '1 known finding suppressed (specgate.lint-baseline.json)\n',
    });
    writeInto(cwd, 'openrpc.json', JSON.stringify(documentOf([another, one])));
    const { status, stdout } = await run(...args);
    expect(status).toBe(1);
    expect(stdout).toMatch(/\n1 error in 1 document\n$/);
  });

  test('can be set in the project file, and obsolete entries are reported', async () => {
    const cwd = folderOf({
      'openrpc.json': documentOf([one, another]),
      'specgate.config.yaml': 'lint: { baseline: known.json }',
    });
    await runSpecgate(['lint', '--update-baseline'], { cwd });
    writeInto(cwd, 'openrpc.json', JSON.stringify(documentOf([one])));
    const { status, stderr } = await runSpecgate(['lint'], { cwd });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        '1 known finding suppressed (known.json)\n' +
        '1 obsolete entry in known.json; run again with --update-baseline\n',
    });
  });

  test('knows a finding in a shared part when other methods use it', async () => {
    const examples = [{ name: 'e', params: [{ $ref: '#/components/examples/Five' }] }];
    const components = { examples: { Five: { name: 'value', value: 5 } } };
    const users = (...names: readonly string[]) =>
      JSON.stringify(
        documentOf(
          names.map((name) => ({ ...methodOf(name, { type: 'string' }), summary: 'A.', examples })),
          { components },
        ),
      );
    const cwd = folderOf({
      'openrpc.json': users('a', 'b', 'c'),
      'specgate.config.yaml':
        'lint: { baseline: known.json, rules: { example-result-presence: off } }',
    });
    await runSpecgate(['lint', '--update-baseline'], { cwd });
    writeInto(cwd, 'openrpc.json', users('b', 'd'));
    expect(await runSpecgate(['lint'], { cwd })).toMatchObject({
      status: 0,
      stderr: '1 known finding suppressed (known.json)\n',
    });
  });

  test('that is configured but missing is empty, with a hint how to write it', async () => {
    const cwd = folderOf({
      'openrpc.json': documentOf([one]),
      'specgate.config.yaml': 'lint: { baseline: known.json }',
    });
    const { status, stdout, stderr } = await runSpecgate(['lint'], { cwd });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'no baseline at known.json yet; write it with specgate lint --update-baseline\n',
    });
    expect(stdout).toMatch(/\n1 error in 1 document\n$/);
    const asJson = await runSpecgate(['lint', '--format', 'json'], { cwd });
    expect(asJson).toMatchObject({ status: 1, stderr: '' });
  });

  test('from the command line has to exist, except when it is written', async () => {
    const cwd = folderOf({ 'openrpc.json': documentOf([one]) });
    const run = (...args: string[]) =>
      runSpecgate(['lint', '--baseline', 'x.json', ...args], { cwd });
    expect(await run()).toMatchObject({
      status: 2,
      stderr: 'x.json: file not found; check the path\n',
    });
    expect((await run('--update-baseline')).status).toBe(0);
    expect((await run()).status).toBe(0);
  });

  test('keeps entries of documents that were not read', async () => {
    const cwd = folderOf({
      'one.json': documentOf([one]),
      'two.json': documentOf([another]),
      'specgate.config.yaml':
        'lint: { baseline: known.json }\n' +
        'documents: [{ document: one.json, out: a }, { document: two.json, out: b }]',
    });
    const run = (...args: string[]) => runSpecgate(['lint', ...args], { cwd });
    await run('--update-baseline');
    expect(await run('one.json')).toMatchObject({
      status: 0,
      stderr: '1 known finding suppressed (known.json)\n',
    });
    writeInto(cwd, 'two.json', '{');
    const { status, stderr } = await run();
    expect(status).toBe(2);
    expect(stderr).toContain('1 known finding suppressed (known.json)\n');
    expect(stderr).not.toContain('obsolete');
  });

  test('of another kind of file is refused, and not replaced', async () => {
    const cwd = folderOf({ 'openrpc.json': documentOf([one]), 'notes.txt': 'kept' });
    for (const args of [[], ['--update-baseline']]) {
      const run = ['lint', '--baseline', 'notes.txt', ...args];
      const { status, stderr } = await runSpecgate(run, { cwd });
      expect(status).toBe(2);
      expect(stderr).toMatch(
        /^notes\.txt:1:1: this is not a lint baseline; choose another file, or /,
      );
    }
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('kept');
  });

  test.each([
    ['the file', 'link.json'],
    ['a folder on its way', 'folder/known.json'],
  ])('is not written through a link in place of %s', async (_, baseline) => {
    const outside = folderOf({ 'known.json': { known: [] } });
    const before = readFileSync(join(outside, 'known.json'), 'utf8');
    const cwd = folderOf({
      'openrpc.json': documentOf([one]),
      'specgate.config.yaml': `lint: { baseline: ${baseline} }`,
    });
    symlinkSync(join(outside, 'known.json'), join(cwd, 'link.json'));
    symlinkSync(outside, join(cwd, 'folder'));
    const { status, stderr } = await runSpecgate(['lint', '--update-baseline'], { cwd });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `${baseline.split('/')[0]}: this is a symbolic link, which is not followed; nothing was written; remove the link, or choose another file (--baseline)\n`,
    });
    expect(readFileSync(join(outside, 'known.json'), 'utf8')).toBe(before);
    expect(lstatSync(join(cwd, 'link.json')).isSymbolicLink()).toBe(true);
  });

  test.each(['../known.json', 'a/../../known.json', '/known.json'])(
    '%s outside the folder of the project file is refused',
    async (baseline) => {
      const config = `lint: { baseline: ${baseline} }`;
      const cwd = folderOf({
        'a/openrpc.json': documentOf([one]),
        'a/specgate.config.yaml': config,
      });
      for (const args of [[], ['--update-baseline']]) {
        const run = await runSpecgate(['lint', 'openrpc.json', ...args], { cwd: join(cwd, 'a') });
        expect(run).toMatchObject({
          status: 2,
          stderr: `specgate.config.yaml:1:9 #/lint/baseline: "${baseline}" is outside the folder of the project file; name a file in that folder, or name this one on the command line (--baseline)\n`,
        });
      }
    },
  );

  test('outside the folder is written when the command line names it', async () => {
    const cwd = folderOf({ 'a/openrpc.json': documentOf([one]) });
    const args = ['lint', '--baseline', '../known.json', '--update-baseline'];
    const { status } = await runSpecgate(args, { cwd: join(cwd, 'a') });
    expect(status).toBe(0);
    expect(readFileSync(join(cwd, 'known.json'), 'utf8')).toContain('default-valid');
  });

  test('of a project file is relative to that file', async () => {
    const cwd = folderOf({
      'openrpc.json': documentOf([one]),
      'a/specgate.yaml': 'lint: { baseline: known.json }',
    });
    const args = ['lint', 'openrpc.json', '--config', 'a/specgate.yaml', '--update-baseline'];
    expect(await runSpecgate(args, { cwd })).toMatchObject({
      status: 0,
      stdout: '1 known finding written to a/known.json\n',
    });
  });
});
