import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planJobs } from '../../../bin/commands/jobs.ts';
import type { TextReader } from '../../../generator/files/text.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const config = `
documents:
  - { document: a.json, out: code, targets: [types] }
  - { document: a.json, targets: [docs], options: { guides: g } }
`;

const reader: TextReader = {
  read: async (name) => ({ name, url: `file:///p/${name}`, text: config }),
};

const plan = async (...target: string[]) =>
  (
    await planJobs(
      undefined,
      { config: 'p.yaml', ...(target.length === 0 ? {} : { target }) },
      reader,
    )
  ).map(({ out, targets, site }) => ({ out, targets: targets.map(({ name }) => name), site }));

const code = { out: 'code', targets: ['types'], site: null };
const site = {
  out: 'docs',
  targets: [],
  site: { guides: 'g', changelog: undefined, releases: undefined, base: undefined },
};

test('the docs of a project file are a separate job, run without --target and with --target docs', async () => {
  expect(await plan()).toEqual([code, site]);
  expect(await plan('docs')).toEqual([site]);
  expect(await plan('types')).toEqual([code]);
});

test('the docs of a named document are one job, whatever the project file lists', async () => {
  const [job, ...more] = await planJobs('b.json', { target: ['docs'], changelog: 'c.md' });
  expect(more).toEqual([]);
  expect(job).toMatchObject({ document: 'b.json', out: 'docs', site: { changelog: 'c.md' } });
});

test.each([
  [
    ['--guides', 'g'],
    '--guides applies only to the docs, which are not generated here; add --target docs, or remove it',
  ],
  [
    ['--changelog', 'c.md', '--releases', 'r'],
    '--changelog and --releases apply only to the docs, which are not generated here; add --target docs, or remove them',
  ],
])('options of the docs are refused if no docs are built: %j', async (args, message) => {
  const { status, stderr } = await runSpecgate(['generate', 'openrpc.json', ...args]);
  expect({ status, stderr }).toEqual({ status: 2, stderr: `specgate: ${message}\n` });
});

test.each([
  ['generate', '--out'],
  ['check', '--out'],
  ['bundle', '--out'],
])(
  '%s %s "" is refused as an unset variable, not read as the current folder',
  async (verb, option) => {
    const { status, stderr } = await runSpecgate([verb, 'openrpc.json', option, '']);
    expect(status).toBe(2);
    expect(stderr).toContain('Expected a path, got an empty string.');
  },
);

test('an output folder that is not named on the command line leads to no other place', async () => {
  const document = JSON.stringify(documentOf([methodOf('a', {})]));
  const outside = temporaryFolder();
  const project = (out: string) => `documents: [{ document: openrpc.json, out: ${out} }]`;
  const cwd = temporaryFolder([
    ['openrpc.json', document],
    ['own/a.yaml', project('linked/deep').replace('openrpc', '../openrpc')],
    ['own.yaml', project('own/here')],
    ['own/parent.yaml', project('../beside').replace('openrpc', '../openrpc')],
  ]);
  for (const link of ['generated', 'own/linked']) symlinkSync(outside, join(cwd, link));
  const generate = (...args: string[]) => runSpecgate(['generate', ...args], { cwd });
  const refusal = 'this folder is outside the project; nothing was written';
  for (const args of [
    [],
    ['openrpc.json'],
    ['--config', 'own/a.yaml'],
    ['--config', 'own/parent.yaml'],
  ]) {
    const { status, stderr } = await generate(...args);
    expect(stderr).toContain(refusal);
    expect(status).toBe(2);
  }
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(join(cwd, 'beside'))).toBe(false);
  mkdirSync(join(cwd, '.git'));
  const inRepository = await generate('--config', 'own/parent.yaml', '--target', 'types');
  expect(inRepository.status).toBe(0);
  expect(readdirSync(join(cwd, 'beside'))).toEqual(['types.ts']);
  expect((await generate('--config', 'own.yaml', '--target', 'types')).status).toBe(0);
  const named = await generate('openrpc.json', '--out', 'generated', '--target', 'types');
  expect(named.status).toBe(0);
  expect(readdirSync(outside)).toEqual(['types.ts']);
});

test('an output folder must not be a link that leads out once another document is generated', async () => {
  const cwd = temporaryFolder([
    ['repository/openrpc.json', JSON.stringify(documentOf([methodOf('a', {})]))],
    [
      'repository/specgate.config.yaml',
      `documents:
  - { document: openrpc.json, out: first, targets: [client] }
  - { document: openrpc.json, out: second, targets: [types] }`,
    ],
  ]);
  const outside = join(cwd, 'outside');
  mkdirSync(outside);
  symlinkSync('first/client/../../../outside', join(cwd, 'repository/second'));
  const { status, stderr } = await runSpecgate(['generate'], { cwd: join(cwd, 'repository') });
  expect(stderr).toContain('second: this folder is outside the project; nothing was written');
  expect(status).toBe(2);
  expect(readdirSync(outside)).toEqual([]);
});
