// Checks that a tag matches the files that it releases, and packs them into the folder `release/`:
//
//   node scripts/release.ts v1.2.3       specgate 1.2.3, for npm
//   node scripts/release.ts api-v1.2.3   the clients of version 1.2.3 of openrpc.json, for npm and PyPI
//
// It publishes nothing: .github/workflows/release.yml publishes what it packs. With --check it packs nothing.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface Release {
  /** Returns what does not match the version, each with its fix. */
  problems(version: string): readonly string[];
  /** Packs the release into `out`; `stage` is a folder for temporary files. */
  pack(out: string, stage: string): void;
}

const releases: Readonly<Record<string, Release>> = {
  v: { problems: problemsOfSpecgate, pack: packSpecgate },
  'api-v': { problems: problemsOfClients, pack: packClients },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, out: { type: 'string', default: 'release' } },
});
const tag = positionals[0] ?? '';
const [, kind = '', version = ''] = /^(v|api-v)(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag) ?? [];
const release = releases[kind];
if (release === undefined) fail([`expected a tag such as v1.2.3 or api-v1.2.3, got "${tag}"`]);
const problems = release.problems(version);
if (problems.length > 0) fail(problems.map((problem) => `${tag}: ${problem}`));

// Outputs for the publishing steps of the workflow.
const outputs = { kind, 'dist-tag': version.includes('-') ? 'next' : 'latest' };
for (const [name, value] of Object.entries(outputs)) {
  const { GITHUB_OUTPUT } = process.env;
  if (GITHUB_OUTPUT !== undefined) appendFileSync(GITHUB_OUTPUT, `${name}=${value}\n`);
}
if (values.check !== true) {
  const stage = mkdtempSync(join(tmpdir(), 'specgate-release-'));
  try {
    release.pack(resolve(values.out), stage);
  } finally {
    rmSync(stage, { recursive: true });
  }
}
console.log(`${tag} ${values.check === true ? 'can be released' : `packed into ${values.out}`}`);

function problemsOfSpecgate(version: string): readonly string[] {
  const hasNotes = read('CHANGELOG.md').includes(`\n## ${version}`);
  return [
    ...wrongVersion('package.json', versionOf('package.json'), version),
    ...wrongVersion('package-lock.json', versionOf('package-lock.json'), version),
    ...(hasNotes ? [] : [`CHANGELOG.md: no "## ${version}"; rename "## Unreleased"`]),
  ];
}

function problemsOfClients(version: string): readonly string[] {
  const { info } = JSON.parse(read('openrpc.json')) as { info: { version: string } };
  const python = /^version = "(.*)"$/m.exec(read('generated/python/pyproject.toml'))?.[1];
  const released = `released/openrpc-${version}.json`;
  const isReleased = existsSync(join(root, released)) && read(released) === read('openrpc.json');
  return [
    ...wrongVersion('openrpc.json', info.version, version),
    ...wrongVersion('generated/client', versionOf('generated/client/package.json'), version),
    ...wrongVersion('generated/python', python, version),
    ...(isReleased ? [] : [`${released}: expected a copy of openrpc.json; copy it`]),
  ];
}

function wrongVersion(file: string, found: string | undefined, version: string): readonly string[] {
  if (found === version) return [];
  return [`${file}: expected version ${version}, got ${found}; change it, or tag another version`];
}

function packSpecgate(out: string, stage: string): void {
  const { scripts: _, ...manifest } = JSON.parse(read('package.json')) as {
    readonly files: readonly string[];
    readonly scripts: unknown;
  };
  const files = manifest.files.filter((file) => file !== 'dist');
  for (const file of ['README.md', 'LICENSE', ...files]) {
    cpSync(join(root, file), join(stage, file), { recursive: true });
  }
  run(process.execPath, [join(root, 'scripts/build.js'), join(stage, 'dist')], root);
  writeJson(join(stage, 'package.json'), manifest);
  packForNpm(out, stage, '');
}

function packClients(out: string, stage: string): void {
  cpSync(join(root, 'generated/client'), join(stage, 'client'), { recursive: true });
  packForNpm(out, join(stage, 'client'), 'generated/client');
  cpSync(join(root, 'generated/python'), join(stage, 'python'), { recursive: true });
  const wheel = ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', join(out, 'python')];
  run('python3', [...wheel, join(stage, 'python')], stage);
}

/** Packs a folder. Provenance needs the repository, which only the workflow knows. */
function packForNpm(out: string, folder: string, directory: string): void {
  const { GITHUB_REPOSITORY } = process.env;
  if (GITHUB_REPOSITORY !== undefined) {
    const file = join(folder, 'package.json');
    const url = `git+https://github.com/${GITHUB_REPOSITORY}.git`;
    const repository = { type: 'git', url, ...(directory !== '' && { directory }) };
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeJson(file, { ...manifest, repository });
  }
  const destination = join(out, 'npm');
  mkdirSync(destination, { recursive: true });
  run('npm', ['pack', '--pack-destination', destination], folder);
}

function run(program: string, args: readonly string[], cwd: string): void {
  // The client is compiled by the TypeScript of this repository.
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  execFileSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, PATH: path } });
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function versionOf(manifest: string): string {
  return (JSON.parse(read(manifest)) as { version: string }).version;
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function fail(messages: readonly string[]): never {
  for (const message of messages) console.error(`release: ${message}`);
  process.exit(1);
}
