import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DocumentError, describeDiagnostic } from '../../../common/diagnostic.ts';
import { loadProject } from '../../../generator/project/load.ts';
import { temporaryFolder } from '../support/folder.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder([]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const FILE = 'specgate.config.yaml';
const load = async (files: Readonly<Record<string, string>>) =>
  (await loadProject(undefined, folderOf(files)))!;

async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  try {
    await load(files);
  } catch (error) {
    if (error instanceof DocumentError) return error.diagnostics.map(describeDiagnostic);
    throw error;
  }
  throw new Error('the project was accepted');
}

describe('a project file', () => {
  test('has the settings of a ruleset that it does not have itself', async () => {
    const { lint, diff } = await load({
      [FILE]: 'extends: ./shared.yaml\nlint: { rules: { a-rule: error } }',
      'shared.yaml': `lint:
  extends: strict
  rules: { a-rule: off, b-rule: [warning, { max: 2 }] }
diff: { fail_on: warning, rules: { method-added: warning } }`,
    });
    expect(lint).toMatchObject({
      extends: 'strict',
      rules: { 'a-rule': 'error', 'b-rule': ['warning', { max: 2 }] },
    });
    expect(diff).toMatchObject({
      fail_on: 'warning',
      strictness: 'wire',
      rules: { 'method-added': 'warning' },
    });
  });

  test('keeps the options of a rule whose level alone it sets', async () => {
    const { lint } = await load({
      [FILE]: 'extends: ./shared.yaml\nlint: { rules: { a: warning, b: [error, { max: 1 }] } }',
      'shared.yaml': 'lint: { rules: { a: [error, { max: 2 }], b: [error, { max: 2 }] } }',
    });
    expect(lint.rules).toEqual({ a: ['warning', { max: 2 }], b: ['error', { max: 1 }] });
  });

  test('applies several rulesets in their order, each once, after those they extend', async () => {
    const level = (name: string) => `lint: { rules: { ${name}: info, last: ${name} } }`;
    const { lint } = await load({
      [FILE]: 'extends: [./a/a.yaml, ./b.json]',
      'a/a.yaml': 'extends: ../base.yaml\nlint: { rules: { a: info, last: error } }',
      'b.json': '{"extends":"./base.yaml","lint":{"rules":{"b":"info"}}}',
      'base.yaml': level('base').replace('last: base', 'last: off'),
    });
    expect(lint.rules).toEqual({ base: 'info', a: 'info', b: 'info', last: 'error' });
  });

  test('has the overrides of its rulesets first, and rules that win over them', async () => {
    const { lint } = await load({
      [FILE]: `extends: ./shared.yaml
lint: { rules: { a: error }, overrides: [{ at: y, rules: { a: info } }] }`,
      'shared.yaml': 'lint: { rules: { b: error }, overrides: [{ at: x, rules: { a: off } }] }',
    });
    expect(lint.rules).toEqual({ a: 'error', b: 'error' });
    expect(lint.overrides).toEqual([
      { at: 'x', rules: { a: 'off' } },
      { at: '', rules: { a: 'error' } },
      { at: 'y', rules: { a: 'info' } },
    ]);
  });

  test('has the custom rules of its rulesets, and replaces those of the same id', async () => {
    const rule = (id: string, message: string) =>
      `{ id: ${id}, message: ${message}, at: '', must: {} }`;
    const { lint } = await load({
      [FILE]: `extends: ./shared.yaml\nlint: { custom: [${rule('a', 'own')}] }`,
      'shared.yaml': `lint: { custom: [${rule('a', 'shared')}, ${rule('b', 'shared')}] }`,
    });
    expect(lint.custom.map(({ id, message }) => [id, message])).toEqual([
      ['b', 'shared'],
      ['a', 'own'],
    ]);
  });

  test('may extend an installed package, or a file in one', async () => {
    const { lint } = await load({
      [FILE]: "extends: ['@acme/rules', rules/strict.yaml]",
      'node_modules/@acme/rules/package.json': '{"name":"@acme/rules","main":"rules.yaml"}',
      'node_modules/@acme/rules/rules.yaml': 'lint: { rules: { a: off } }',
      'node_modules/rules/strict.yaml': 'lint: { rules: { b: off } }',
    });
    expect(lint.rules).toEqual({ a: 'off', b: 'off' });
  });
});

describe('errors in rulesets are reported with position, path and fix', () => {
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a file that does not exist',
      { [FILE]: 'extends: [./none.yaml]' },
      /^specgate\.config\.yaml:1:11 #\/extends\/0: "\.\/none\.yaml": file not found; check the path$/,
    ],
    [
      'a package that is not installed, or a path without a dot',
      { [FILE]: 'extends: shared.yaml', 'shared.yaml': '' },
      /^specgate\.config\.yaml:1:1 #\/extends: ruleset "shared\.yaml" not found; a path starts with \.\/ \(did you mean "\.\/shared\.yaml"\?\); /,
    ],
    [
      'a URL',
      { [FILE]: 'extends: https://example.org/rules.yaml' },
      /#\/extends: ruleset "https:.*" not found; a ruleset is a file: a path that starts with \.\/, or an installed package$/,
    ],
    ['a module of Node', { [FILE]: 'extends: fs' }, /ruleset "fs" not found; /],
    [
      'files that extend each other',
      {
        [FILE]: 'extends: ./a.yaml',
        'a.yaml': 'extends: ./b.yaml',
        'b.yaml': 'lint: {}\nextends: [./a.yaml]',
      },
      /^b\.yaml:2:11 #\/extends\/0: "\.\/a\.yaml" extends itself: a\.yaml → b\.yaml → a\.yaml; remove one of these references$/,
    ],
    [
      'a setting of another kind of file',
      { [FILE]: 'extends: ./a.yaml', 'a.yaml': 'documents: []' },
      /^a\.yaml:1:1 #\/documents: unknown setting "documents"; remove it, or correct its name$/,
    ],
    [
      'a kind of change that does not exist',
      { [FILE]: 'extends: ./a.yaml', 'a.yaml': 'diff: { rules: { method-aded: off } }' },
      /^a\.yaml:1:18 #\/diff\/rules\/method-aded: unknown kind of change "method-aded"; did you mean "method-added"\?$/,
    ],
    [
      'a value of another type',
      { [FILE]: 'extends: 5' },
      /#\/extends: expected a path, the name of a package, or a list of them; /,
    ],
    [
      'an override at a place of another type',
      { [FILE]: 'diff: { overrides: [{ at: 5, rules: {} }] }' },
      /#\/diff\/overrides\/0\/at: expected a JSON pointer, a method name, or a list of them; /,
    ],
    [
      'a path in the place of a preset',
      { [FILE]: 'lint: { extends: ./a.yaml }' },
      /#\/lint\/extends: expected recommended or strict \(rulesets are listed in "extends" at the top level of the file\)/,
    ],
  ])('%s', async (_, files, expected) => {
    expect(await problemsOf(files)).toEqual([expect.stringMatching(expected)]);
  });

  test('rulesets of a project file that was downloaded', async () => {
    const url = 'https://example.org/specgate.config.yaml';
    const load = (text: string) =>
      loadProject(url, '/', { read: () => Promise.resolve({ name: url, url, text }) });
    expect((await load('lint: { extends: strict }'))!.lint.extends).toBe('strict');
    await expect(load('extends: ./a.yaml')).rejects.toThrow(
      /^https:.*:1:1 #\/extends: a project file that was downloaded cannot extend rulesets; /,
    );
  });

  test('more rulesets than the limit', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 101 }, (_, index) => [`${index}.yaml`, `extends: ./${index + 1}.yaml`]),
    );
    const found = await problemsOf({ [FILE]: 'extends: ./0.yaml', ...files });
    expect(found).toEqual([expect.stringContaining('more than 100 rulesets; merge some of them')]);
  });
});
