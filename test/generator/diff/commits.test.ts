import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasProgram } from '../../support/programs.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';

const hasGit = hasProgram('git', 'diff with a commit of git');

const NAMES_COMMIT = 'a document must not name a Git commit; use a relative path';

/**
 * References in a document of a commit, and why they are not followed. "first" begins the message of a
 * commit, for which Git would run the program of the configuration.
 */
const cases = [
  ['gitref:///%3A%2Ffirst/x.json', NAMES_COMMIT],
  ['gitref://%3A%2Ffirst/x.json', NAMES_COMMIT],
  ['gitref://HEAD/types.json', NAMES_COMMIT],
  ['///%3A%2Ffirst/x.json', NAMES_COMMIT],
  ['../%3A%2Ffirst/x.json', "path ':/first/x.json' does not exist in 'main'"],
  ['./schemas', 'bad file'],
  ['HEAD:types.json', 'file not found'],
  // The identifier of schemas/id.json, which refers to another file by a relative path.
  ['gitref:///%3A%2Ffirst/id.json', NAMES_COMMIT],
] as const;

const documentFor = (reference: string) =>
  JSON.stringify(documentOf([methodOf('a', { $ref: reference })]));

function commit(cwd: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first:x.json');
}

test.for(cases)('diff does not read %s through Git: %s', async ([reference, why], { skip }) => {
  skip(!hasGit, 'Git is not installed');
  const cwd = temporaryFolder([
    ['openrpc.json', documentFor(reference)],
    ['specgate.config.yaml', 'resolve: schemas\n'],
    ['schemas/id.json', '{ "$id": "gitref:///%3A%2Ffirst/id.json", "$ref": "x.json" }'],
    ['types.json', '{}'],
    ['.gitattributes', '* diff=own'],
    ['program.sh', '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n'],
  ]);
  const program = join(cwd, 'program.sh');
  chmodSync(program, 0o755);
  commit(cwd);
  execFileSync('git', ['config', 'diff.own.textconv', program], { cwd });
  const { stderr } = await runSpecgate(['diff', '--against', 'main'], { cwd });
  const [warning] = stderr.split('\n');
  expect(warning).toMatch(/^warning: main:.* cannot be followed: /);
  expect(warning).toContain(why);
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
});

const SEARCH = /main\^\{\/fir\}:.*: a search for the text of a commit message is not supported/;

/** Places that a pull request can change, and the command line, with a search for the text of a message. */
const searches = [
  {
    where: 'on the command line',
    args: ['--against', 'main^{/fir}'],
    why: SEARCH,
  },
  {
    where: 'in a document of the project file',
    config: "documents: [{ document: 'main^{/fir}:openrpc.json', targets: [types], out: out }]",
    args: ['--against', 'main'],
    why: /file not found/,
  },
  {
    where: 'in a folder of schemas',
    config: "resolve: ['main^{/fir}:schemas']",
    why: /file or folder not found/,
  },
  {
    where: 'in the URL of a schema',
    config: "resolve: { 'https://a.example/': heads }",
    why: SEARCH,
  },
];

test.for(searches)(
  'diff does not search the messages of commits $where',
  async ({ config = '', args = ['openrpc.json', 'openrpc.json'], why }, { skip }) => {
    skip(!hasGit, 'Git is not installed');
    const cwd = temporaryFolder([
      ['openrpc.json', documentFor('https://a.example/main^{/fir}:schemas/types.json')],
      ['specgate.config.yaml', config],
      ['schemas/types.json', '{}'],
    ]);
    commit(cwd);
    const { stderr } = await runSpecgate(['diff', ...args], { cwd });
    expect(stderr).toMatch(why);
  },
);

test.for([
  { args: ['main:openrpc.json', 'openrpc.json'], breaks: true },
  { args: ['--against', 'main', 'openrpc.json'], breaks: true },
  { args: ['./main:openrpc.json', 'openrpc.json'], breaks: false },
])('diff %j reads a file called REF:path only by its path', async ({ args, breaks }, { skip }) => {
  skip(!hasGit, 'Git is not installed');
  const text = (type: string) => JSON.stringify(documentOf([methodOf('a', { type })]));
  const cwd = temporaryFolder([['openrpc.json', text('number')]]);
  commit(cwd);
  for (const name of ['main:openrpc.json', 'openrpc.json']) {
    writeFileSync(join(cwd, name), text('integer'));
  }
  const { status, stderr } = await runSpecgate(['diff', ...args], { cwd });
  expect({ status, stderr }).toEqual({ status: breaks ? 1 : 0, stderr: '' });
});

test('a project file lists a document called REF:path by its path', async ({ skip }) => {
  skip(!hasGit, 'Git is not installed');
  const cwd = temporaryFolder([
    ['ab:c.json', JSON.stringify(documentOf([methodOf('a', { type: 'number' })]))],
    ['specgate.config.yaml', "documents: [{ document: 'ab:c.json', targets: [] }]"],
  ]);
  commit(cwd);
  const { status, stderr } = await runSpecgate(['diff', '--against', 'main'], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
