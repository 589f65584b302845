/** The release workflow, and the script that checks and packs what a tag names. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder, writeInto } from '../generator/support/folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
}
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

describe('the release workflow', () => {
  test('runs only files and scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: object;
    };
    const commands = Object.values(workflow.jobs).flatMap(commandsOf);
    const files = commands.flatMap((command) => /^(?:node|bash) (\S+)/.exec(command)?.[1] ?? []);
    expect(files).toContain('scripts/release.ts');
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
    const names = commands.flatMap((command) => /npm run (?:-s )?(\S+)/.exec(command)?.[1] ?? []);
    for (const name of names) expect(Object.keys(scripts)).toContain(name);
  });

  test('gives an identity only to the jobs that publish, which run nothing of the repository', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*', 'api-v*'] } });
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const { pack, ...publishing } = workflow.jobs;
    expect(pack!.permissions).toBeUndefined();
    expect(Object.keys(publishing)).toEqual(['npm', 'pypi']);
    for (const job of Object.values(publishing)) {
      expect(job.permissions).toEqual({ 'id-token': 'write' });
      expect(job.steps.map(({ uses = '' }) => uses)).not.toContainEqual(
        expect.stringContaining('checkout'),
      );
    }
    expect(commandsOf(publishing['npm']!)).toEqual([expect.stringContaining(' --provenance ')]);
  });
});

/** A repository with the files that state versions: specgate 1.2.3, and the document 3.1.0. */
function createRepository(): string {
  const manifest = (version: string) => JSON.stringify({ type: 'module', version });
  const document = JSON.stringify({ info: { version: '3.1.0' } });
  const folder = temporaryFolder([
    ['package.json', manifest('1.2.3')],
    ['package-lock.json', manifest('1.2.3')],
    ['CHANGELOG.md', '# Changelog\n\n## 1.2.3\n'],
    ['openrpc.json', document],
    ['released/openrpc-3.1.0.json', document],
    ['generated/client/package.json', manifest('3.1.0')],
    ['generated/python/pyproject.toml', '[project]\nversion = "3.1.0"\n'],
  ]);
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(root, 'scripts/release.ts'), join(folder, 'scripts/release.ts'));
  return folder;
}

function runRelease(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.ts', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

describe('the script that checks a tag', () => {
  test.each([
    ['v1.2.3', 'kind=v\ndist-tag=latest\n'],
    ['api-v3.1.0', 'kind=api-v\ndist-tag=latest\n'],
  ])('accepts %s when all versions are those', (tag, outputs) => {
    const folder = createRepository();
    const file = join(folder, 'outputs');
    const result = runRelease(folder, [tag, '--check'], { GITHUB_OUTPUT: file });
    expect(result).toEqual({ status: 0, stdout: `${tag} can be released\n`, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(outputs);
  });

  test('publishes a prerelease as "next"', () => {
    const folder = createRepository();
    const text = JSON.stringify({ type: 'module', version: '2.0.0-rc.1' });
    for (const name of ['package.json', 'package-lock.json']) writeInto(folder, name, text);
    writeInto(folder, 'CHANGELOG.md', '\n## 2.0.0-rc.1\n');
    const file = join(folder, 'outputs');
    const result = runRelease(folder, ['v2.0.0-rc.1', '--check'], { GITHUB_OUTPUT: file });
    expect(result.status).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('dist-tag=next\n');
  });

  test.each([
    [
      'v1.2.4',
      [
        'package.json: expected version 1.2.4, got 1.2.3; change it, or tag another version',
        'package-lock.json: expected version 1.2.4, got 1.2.3; change it, or tag another version',
        'CHANGELOG.md: no "## 1.2.4"; rename "## Unreleased"',
      ],
    ],
    [
      'api-v3.2.0',
      [
        'openrpc.json: expected version 3.2.0, got 3.1.0; change it, or tag another version',
        'generated/client: expected version 3.2.0, got 3.1.0; change it, or tag another version',
        'generated/python: expected version 3.2.0, got 3.1.0; change it, or tag another version',
        'released/openrpc-3.2.0.json: expected a copy of openrpc.json; copy it',
      ],
    ],
  ])('refuses %s with what does not fit, and how to fix it', (tag, problems) => {
    const { status, stdout, stderr } = runRelease(createRepository(), [tag]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(problems.map((problem) => `release: ${tag}: ${problem}\n`).join(''));
  });

  test('refuses other tags, and a released document that was changed', () => {
    const folder = createRepository();
    expect(runRelease(folder, ['1.2.3']).stderr).toBe(
      'release: expected a tag such as v1.2.3 or api-v1.2.3, got "1.2.3"\n',
    );
    writeInto(folder, 'released/openrpc-3.1.0.json', '{}');
    expect(runRelease(folder, ['api-v3.1.0', '--check']).stderr).toBe(
      'release: api-v3.1.0: released/openrpc-3.1.0.json: expected a copy of openrpc.json; copy it\n',
    );
  });
});

// Compiles everything, so it runs only in `npm run test:soak`.
describe.runIf(process.env['SPECGATE_SOAK'] !== undefined)('what a tag packs', () => {
  test.each(['package.json', 'openrpc.json'])(
    'the release of %s passes a dry run of npm publish, with its repository',
    (file) => {
      const folder = temporaryFolder();
      const isCopied = (path: string) => !/\/(?:node_modules|\.git|dist)(?:\/|$)/.test(path);
      cpSync(root, folder, { recursive: true, verbatimSymlinks: true, filter: isCopied });
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const read = (name: string) => readFileSync(join(folder, name), 'utf8');
      const { version, info } = JSON.parse(read(file)) as {
        readonly version?: string;
        readonly info?: { readonly version: string };
      };
      const tag = version === undefined ? `api-v${info!.version}` : `v${version}`;
      if (version === undefined) {
        copyFileSync(join(folder, file), join(folder, `released/openrpc-${info!.version}.json`));
      } else {
        const changes = read('CHANGELOG.md');
        writeInto(folder, 'CHANGELOG.md', changes.replace('## Unreleased', `## ${version}`));
      }
      // Building a wheel downloads its build tools; its arguments are checked instead.
      const tools = temporaryFolder();
      const python = '#!/bin/sh\nwhile [ "$1" != --wheel-dir ]; do shift; done; mkdir -p "$2"\n';
      writeFileSync(join(tools, 'python3'), `${python}test -f "$3/pyproject.toml"\n`, {
        mode: 0o755,
      });
      const env = {
        PATH: `${tools}:${process.env['PATH']}`,
        GITHUB_REPOSITORY: 'acme/specgate',
        npm_config_update_notifier: 'false',
      };
      const { status, stderr } = runRelease(folder, [tag, '--out', 'packed'], env);
      expect(status, stderr).toBe(0);
      const tarballs = globSync('packed/npm/*.tgz', { cwd: folder });
      expect(tarballs).toHaveLength(1);
      const tarball = `./${tarballs[0]}`;
      const publish = ['publish', tarball, '--provenance', '--access', 'public', '--tag', 'latest'];
      const dry = spawnSync('npm', [...publish, '--dry-run', '--offline'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(dry.stdout, dry.stderr).toMatch(/^\+ \S+@\d+\.\d+\.\d+\n$/);
      const packed = spawnSync('tar', ['xzOf', tarball, 'package/package.json'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(JSON.parse(packed.stdout)).toMatchObject({
        repository: { url: 'git+https://github.com/acme/specgate.git' },
      });
    },
    300_000,
  );
});
