import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
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

/** Places that can name a file of a commit: by a regular expression, it could take exponential time. */
const searches = [
  { where: 'the command line', args: ['--against', 'main^{/fir}'] },
  {
    where: 'a document of the project file',
    config: "documents: [{ document: 'main^{/fir}:openrpc.json', targets: [types], out: out }]",
    args: ['--against', 'main'],
  },
  { where: 'a folder of schemas', config: "resolve: ['main^{/fir}:schemas']" },
  { where: 'a file of schemas', config: "resolve: { 'https://a.example/': heads }" },
];

test.for(searches)(
  'diff does not search the messages of commits for $where',
  async ({ config = '', args = ['openrpc.json', 'openrpc.json'] }, { skip }) => {
    skip(!hasGit, 'Git is not installed');
    const cwd = temporaryFolder([
      ['openrpc.json', documentFor('https://a.example/main^{/fir}:schemas/types.json')],
      ['specgate.config.yaml', config],
      ['schemas/types.json', '{}'],
    ]);
    commit(cwd);
    const { stderr } = await runSpecgate(['diff', ...args], { cwd });
    expect(stderr).toMatch(
      /main\^\{\/fir\}:.*: a search for the text of a commit message is not supported/,
    );
  },
);
