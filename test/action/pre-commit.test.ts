import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { documentOf, methodOf } from '../generator/support/document.ts';
import { temporaryFolder } from '../generator/support/folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly pass_filenames: boolean;
}

const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];

/** Runs a hook as pre-commit runs a script: its entry, below this repository, in the folder. */
function runHook(id: string, cwd: string) {
  const { entry, language, pass_filenames } = hooks.find((hook) => hook.id === id)!;
  expect({ language, pass_filenames }).toEqual({ language: 'script', pass_filenames: false });
  const [script, ...args] = entry.split(' ');
  const { status, stdout } = spawnSync(join(root, script!), args, { cwd, encoding: 'utf8' });
  return { status, stdout };
}

test('the hooks check the documents of the project file', () => {
  const document = documentOf([methodOf('a', { type: 'string', default: 1 })]);
  const cwd = temporaryFolder([
    ['api.json', JSON.stringify(document)],
    ['specgate.config.yaml', 'documents: [{ document: api.json, targets: [types] }]\n'],
  ]);
  expect(runHook('specgate-lint', cwd)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('default-valid') as string,
  });
  expect(runHook('specgate-check', cwd)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('missing   generated/types.ts') as string,
  });
});
