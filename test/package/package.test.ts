import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { documentOf, methodOf } from '../generator/support/document.ts';
import { temporaryFolder, typeErrors, writeInto } from '../generator/support/folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly files: readonly string[];
  readonly bin: { readonly specgate: string };
  readonly dependencies: Readonly<Record<string, string>>;
};

let project: string;

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

const npx = (...args: readonly string[]) =>
  run('npx', ['--no-install', 'specgate', ...args], project);

const specgate = (...args: readonly string[]) =>
  run(join(project, 'node_modules/.bin/specgate'), args, project);

// As a user has it: compiled, the files that npm packs, and the dependencies that package.json names.
// They are linked from this repository: an install by npm would need a registry.
beforeAll(() => {
  const folder = temporaryFolder();
  for (const file of ['package.json', 'README.md', 'LICENSE', ...manifest.files]) {
    if (file !== 'dist') cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  run(process.execPath, [join(root, 'scripts/build.js'), join(folder, 'dist')], root);
  const listed = run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], folder);
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { readonly path: string }[] }];
  project = temporaryFolder([
    ['package.json', '{"private":true,"type":"module"}'],
    ['openrpc.yaml', stringify(documentOf([methodOf('user.get', { $ref: 'user.json' })]))],
    ['user.json', '{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}'],
  ]);
  const installed = join(project, 'node_modules/specgate');
  for (const { path } of files) cpSync(join(folder, path), join(installed, path));
  for (const name of Object.keys(manifest.dependencies)) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place, 'junction');
  }
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync(join(installed, manifest.bin.specgate), join(project, 'node_modules/.bin/specgate'));
}, 180_000);

describe('the package, installed into an empty project', () => {
  test('generates from its document, and the code compiles there', () => {
    expect(npx('generate', 'openrpc.yaml')).toMatch(/\d+ written, 0 unchanged, 0 removed\n$/);
    expect(specgate('check', 'openrpc.yaml')).toMatch(/ files in generated match openrpc\.yaml\n$/);
    expect(typeErrors(join(project, 'generated'))).toBe('');
    writeInto(
      project,
      'use.mjs',
      "import { validateParams } from './generated/validators.js';\n" +
        "console.log(validateParams['user.get']([{ id: 1 }]).length);\n",
    );
    expect(run(process.execPath, ['use.mjs'], project)).toBe('1\n');
  });

  test('bundles and lints it', () => {
    expect(JSON.parse(specgate('bundle', 'openrpc.yaml'))).toMatchObject({
      components: { schemas: { user: { required: ['id'] } } },
    });
    expect(specgate('lint', '--help')).toMatch(/^Usage: specgate lint /);
  });

  test('has help for every verb', () => {
    const verbs = [...specgate('--help').matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, verb]) => verb!);
    expect(verbs.length).toBeGreaterThan(10);
    expect(specgate(verbs.at(-1)!, '--help')).toContain('$ specgate ');
  });

  test('is a library of the same, and of components for the official generator', () => {
    writeInto(
      project,
      'library.mjs',
      `import { createTextReader, loadModel, loadTargets, renderTargets } from 'specgate';
       const types = await loadTargets(['types']);
       const model = await loadModel('openrpc.yaml', createTextReader());
       const files = await renderTargets(model, types, { source: 'openrpc.yaml' });
       console.log(files.get('types.ts'));`,
    );
    const types = readFileSync(join(project, 'generated/types.ts'), 'utf8');
    expect(run(process.execPath, ['library.mjs'], project)).toBe(`${types}\n`);
    writeInto(
      project,
      'component.cjs',
      "const { default: component } = require('specgate/component.js');\n" +
        'console.log(component.hooks.afterCompileTemplate.length);\n',
    );
    expect(run(process.execPath, ['component.cjs'], project)).toBe('1\n');
  });
});
