import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

/** Stands for Node 20, which cannot run the command line. */
const oldNode = `#!/bin/sh
case "$1" in *specgate.js) echo 'Node is too old' >&2; exit 1;; esac
exec "${process.execPath}" "$@"
`;

/** A clone whose command line prints its process, its arguments and its working directory. */
function createClone(): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(tmpdir(), 'specgate-launcher-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const each of ['bin', 'old', 'scripts', 'elsewhere', 'node_modules/.bin']) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  // Everything is installed.
  const stamp = createHash('sha256').update('{}').update(`${process.platform}-${process.arch}`);
  writeFileSync(join(folder, 'node_modules/.specgate-stamp'), stamp.digest('hex'));
  writeFileSync(
    join(folder, 'bin/specgate.js'),
    `const { pid, argv } = process;
     process.on('SIGTERM', () => process.exit(7));
     console.log(JSON.stringify({ pid, args: argv.slice(2), cwd: process.cwd() }));
     if (argv.includes('wait')) setInterval(() => {}, 1e6);`,
  );
  for (const file of ['specgate', 'scripts/bootstrap.js']) copyFileSync(file, join(folder, file));
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
  writeFileSync(join(folder, 'old/node'), oldNode, { mode: 0o755 });
  const PATH = `${join(folder, 'old')}${delimiter}${process.env['PATH']}`;
  return { folder, env: { ...process.env, PATH } };
}

it('./specgate runs the command line with the Node of node_modules when the installed one is too old', () => {
  const { folder, env } = createClone();
  const cwd = join(folder, 'elsewhere');
  symlinkSync('../specgate', join(cwd, 'linked'));
  for (const command of ['../specgate', './linked']) {
    const output = execFileSync(command, ['lint', 'a b.json'], { cwd, env, stdio: 'pipe' });
    expect(JSON.parse(String(output))).toMatchObject({ args: ['lint', 'a b.json'], cwd });
  }
});

it('./specgate becomes the process of the command line, which gets its signals', async () => {
  const { folder, env } = createClone();
  const child = spawn('./specgate', ['wait'], { cwd: folder, env });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  expect(JSON.parse(line)).toMatchObject({ pid: child.pid });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([7, null]);
});

it.each(['bin/specgate.js', 'bin/specgate.ts'])(
  '%s says in one line what to run, with a Node that is too old',
  (entry) => {
    const versions = `{ value: { ...process.versions, node: '20.11.1' } }`;
    const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`;
    const run = spawnSync(process.execPath, ['--import', pretend, entry, '--version'], {
      encoding: 'utf8',
    });
    expect({ ...run, pid: 0 }).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        'specgate: expected Node 22.19 or newer, got 20.11.1; install a newer one, or in a clone run ./specgate, which brings its own Node\n',
    });
    // Not TypeScript, which older Nodes refuse before its first line runs.
    expect(realpathSync(entry)).toMatch(/\.js$/);
  },
);

it('the oldest Node is the same in the manifest, the bootstrap and the command line', () => {
  const read = (file: string): string => readFileSync(file, 'utf8');
  expect(read('package.json')).toContain('"node": ">=22.19.0"');
  expect(read('scripts/bootstrap.js')).toContain('MINIMUM_NODE = [22, 19];');
  expect(read('bin/specgate.js')).toContain("MINIMUM_NODE = '22.19';");
});

it('no guide runs the sources with the installed Node, which may be too old', () => {
  for (const file of ['README.md', ...globSync('docs-site/content/**/*.md')]) {
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/node bin\/specgate|npm run -s specgate/);
  }
});
