import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder, writeInto } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const document = documentOf([methodOf('a', { type: 'string' })]);

function projectOf(config: string, name = 'specgate.config.yaml'): string {
  return temporaryFolder([
    ['api/one.json', JSON.stringify(document)],
    ['api/two.yaml', stringify(document)],
    [name, config],
  ]);
}

const two = `
documents:
  - { document: api/one.json, out: out/one, targets: [types] }
  - { document: api/two.yaml, out: out/two, targets: [types, errors] }
`;

test('generate and check without a document do every document of the project file', async () => {
  const cwd = projectOf(two);
  expect(await runSpecgate(['generate'], { cwd })).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'written   out/one/types.ts\n1 written, 0 unchanged, 0 removed',
      'written   out/two/errors.ts\nwritten   out/two/types.ts\n2 written, 0 unchanged, 0 removed\n',
    ].join('\n'),
  });
  const clean = await runSpecgate(['check'], { cwd });
  expect(clean.status).toBe(0);
  expect(clean.stdout).toBe(
    '1 files in out/one match api/one.json\n2 files in out/two match api/two.yaml\n',
  );
  rmSync(join(cwd, 'out/two/errors.ts'));
  const { status, stdout } = await runSpecgate(['check', '--format', 'json'], { cwd });
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    clean: false,
    documents: [{ clean: true }, { document: 'api/two.yaml', missing: ['errors.ts'] }],
  });
});

test('targets that the project file does not list are orphans in its folders', async () => {
  const cwd = projectOf(two);
  await runSpecgate(['generate'], { cwd });
  writeInto(cwd, 'out/one/errors.ts', readFileSync(join(cwd, 'out/two/errors.ts'), 'utf8'));
  expect((await runSpecgate(['check'], { cwd })).stdout).toContain('orphaned  out/one/errors.ts');
  expect((await runSpecgate(['generate'], { cwd })).stdout).toContain(
    'removed   out/one/errors.ts',
  );
});

test('--target chooses among the targets of each document', async () => {
  const cwd = projectOf(two);
  await runSpecgate(['generate', '--target', 'errors'], { cwd });
  expect(existsSync(join(cwd, 'out/one'))).toBe(false);
  expect(existsSync(join(cwd, 'out/two/errors.ts'))).toBe(true);
  expect((await runSpecgate(['check', '--target', 'errors'], { cwd })).status).toBe(0);
});

test('a document on the command line leaves the project file aside', async () => {
  const cwd = projectOf('documents:\n  - { document: gone.json, out: elsewhere }');
  const args = ['api/one.json', '--out', 'here', '--target', 'types'];
  expect((await runSpecgate(['generate', ...args], { cwd })).status).toBe(0);
  expect((await runSpecgate(['check', ...args], { cwd })).status).toBe(0);
});

test('the project file may be elsewhere; its paths are relative to it', async () => {
  const cwd = projectOf('documents: [{ document: one.json, targets: [types] }]', 'api/p.yaml');
  const done = await runSpecgate(['generate', '--config', 'api/p.yaml'], { cwd });
  expect(done.stdout).toContain('written   api/generated/types.ts\n');
});

test.each([
  ['nothing of use', 'nonsense: 1', /^specgate\.config\.yaml:1:1 #\/nonsense: unknown setting/],
  [
    'no document',
    'lint: {}',
    /^specgate\.config\.yaml:1:1 #\/documents: the list of documents is empty/,
  ],
])('a project file that says %s ends with 2', async (_, config, expected) => {
  const { status, stderr } = await runSpecgate(['check'], { cwd: projectOf(config) });
  expect(status).toBe(2);
  expect(stderr).toMatch(expected);
});

test('a project file that is not there ends with 2', async () => {
  const { status, stderr } = await runSpecgate(['check', '--config', 'none.yaml'], {
    cwd: temporaryFolder(),
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'none.yaml: file not found; check the path\n',
  });
});
