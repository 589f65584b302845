import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { documentOf, methodOf } from '../support/document.ts';
import { specgate, temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const good = documentOf([{ ...methodOf('a', { type: 'string' }), summary: 'A.' }]);
const warned = { ...good, info: { title: 'Test', version: 'v2' } };
const bad = documentOf([{ ...methodOf('a', { type: 'integer', default: 'x' }), summary: 'A.' }]);

const folderOf = (files: Readonly<Record<string, unknown>>) =>
  temporaryFolder(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ]),
  );

const folder = folderOf({ 'good.json': good, 'warned.yaml': stringify(warned), 'bad.json': bad });

const lint = (...args: string[]) => runSpecgate(['lint', ...args], { cwd: folder });

describe('exit codes', () => {
  test('0 without findings or without errors', async () => {
    expect(await lint('good.json')).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout } = await lint('warned.yaml');
    expect({ status, first: stdout.split('\n')[1] }).toEqual({
      status: 0,
      first: '  warning info-version-semver: "v2" is not a semantic version',
    });
  });

  test('1 for an error or more warnings than allowed', async () => {
    expect((await lint('bad.json')).status).toBe(1);
    expect((await lint('warned.yaml', '--max-warnings', '1')).status).toBe(0);
    expect((await lint('warned.yaml', '--max-warnings', '0')).status).toBe(1);
    expect(
      (await lint('warned.yaml', '--extends', 'strict', '--rule', 'info-version-semver=error'))
        .status,
    ).toBe(1);
  });

  test('2 for an unusable document, while the others are still linted', async () => {
    const { status, stdout, stderr } = await lint('none.json', 'bad.json');
    expect(status).toBe(2);
    expect(stderr).toBe('none.json: file not found; check the path\n');
    expect(stdout).toContain('error default-valid');
  });
});

test('each finding is printed with its line, its place and a fix', async () => {
  const { stdout } = await lint('bad.json');
  expect(stdout).toBe(
    [
      'bad.json:17:13 #/methods/0/params/0/schema/default',
      '  error default-valid: the default does not match its schema: expected an integer, got "x"',
      '  16 |             "type": "integer",',
      '  17 |             "default": "x"',
      '     |             ^',
      '  fix: correct the default, or the schema',
      '',
      '1 error in 1 document',
      '',
    ].join('\n'),
  );
});

test('a document is read from standard input', async () => {
  const text = JSON.stringify(bad);
  const { status, stdout } = await runSpecgate(['lint', '-'], { cwd: folder, input: text });
  expect({ status, place: stdout.split(' ')[0] }).toEqual({
    status: 1,
    place: `<stdin>:1:${text.indexOf('"default"') + 1}`,
  });
});

describe('formats', () => {
  const formats = ['json', 'junit', 'github', 'sarif'] as const;

  test.each(formats)('%s also reports an unusable document', async (format) => {
    const { status, stdout, stderr } = await lint('none.json', '--format', format);
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
    expect(stdout).toContain('file not found');
  });

  test('json is machine-readable', async () => {
    const { stdout } = await lint('bad.json', 'good.json', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      clean: false,
      documents: ['bad.json', 'good.json'],
      counts: { error: 1, warning: 0, info: 0 },
      diagnostics: [
        { code: 'default-valid', location: { file: 'bad.json', line: 17, column: 13 } },
      ],
    });
  });

  test('a report is written to a file', async () => {
    const { status, stdout } = await lint(
      'bad.json',
      '--format',
      'sarif',
      '--output',
      'lint.sarif',
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const written = JSON.parse(readFileSync(join(folder, 'lint.sarif'), 'utf8')) as unknown;
    expect(written).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'default-valid' }] }],
    });
  });
});

describe('the project file', () => {
  const project = (lint: object) => stringify({ documents: [{ document: 'warned.json' }], lint });

  test('sets the documents and the levels of rules', async () => {
    const cwd = folderOf({
      'warned.json': warned,
      'specgate.config.yaml': project({ rules: { 'info-version-semver': 'error' } }),
    });
    expect((await runSpecgate(['lint'], { cwd })).status).toBe(1);
    expect((await runSpecgate(['lint', '--rule', 'info-version-semver=off'], { cwd })).status).toBe(
      0,
    );
  });

  test.each([
    [
      { rules: { 'info-version-semvr': 'off' } },
      /^specgate\.config\.yaml:5:5 #\/lint\/rules\/info-version-semvr: unknown rule "info-version-semvr"; did you mean "info-version-semver"\?\n$/,
    ],
    [
      { rules: { 'summary-short': ['error', { most: 3 }] } },
      /"summary-short" has no option "most"; it has max\n$/,
    ],
    [
      { rules: { 'summary-short': ['error', { max: 'x' }] } },
      /option "max" of "summary-short": expected a number/,
    ],
    [
      { rules: { 'method-name-pattern': ['error', { pattern: '(' }] } },
      /"\(" is not a regular expression/,
    ],
    [
      { custom: [{ id: 'a', message: 'm', at: 'methods', must: true }] },
      /#\/lint\/custom\/0\/at: expected a JSON pointer/,
    ],
    [
      { custom: [{ id: 'a', message: 'm', at: '/x', must: { type: 'text' } }] },
      /#\/lint\/custom\/0: a schema of "a" cannot be used: /,
    ],
    [
      { custom: [{ id: 'summary-short', message: 'm', at: '/x', must: true }] },
      /#\/lint\/custom\/0\/id: duplicate rule id "summary-short"; use a different id/,
    ],
    [
      { overrides: [{ at: 'a', rules: { 'summary-sort': 'off' } }] },
      /#\/lint\/overrides\/0\/rules\/summary-sort: unknown rule "summary-sort"; did you mean "summary-short"/,
    ],
    [{ overrides: [{ at: 'a' }] }, /#\/lint\/overrides\/0\/rules: missing/],
    [{ extends: 'all' }, /#\/lint\/extends: /],
    [{ rules: { 'summary-short': 'fatal' } }, /#\/lint\/rules\/summary-short: /],
  ])('is refused with %j', async (section, message) => {
    const cwd = folderOf({ 'warned.json': warned, 'specgate.config.yaml': project(section) });
    const { status, stderr } = await runSpecgate(['lint'], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});

test('a ruleset may set rules of the project itself, and its unknown rules are refused', async () => {
  const custom = [{ id: 'own-rule', message: 'no', at: '/info', must: { required: ['x-a'] } }];
  const run = (rules: object, more: readonly string[] = []) =>
    runSpecgate(['lint', 'good.json', ...more], {
      cwd: folderOf({
        'good.json': good,
        'shared.yaml': stringify({ lint: { rules } }),
        'specgate.config.yaml': stringify({ extends: './shared.yaml', lint: { custom } }),
      }),
    });
  expect((await run({})).status).toBe(1);
  expect((await run({ 'own-rule': 'off' })).status).toBe(0);
  expect((await run({ 'own-rule': 'off' }, ['--rule', 'own-rule=error'])).status).toBe(1);
  expect((await run({ 'own-rul': 'off' })).stderr).toMatch(
    /^shared\.yaml:3:5 #\/lint\/rules\/own-rul: unknown rule "own-rul"; /,
  );
});

test('a level on the command line wins over overrides of the project file', async () => {
  const overrides = [{ at: '/methods', rules: { 'default-valid': 'off' } }];
  const cwd = folderOf({
    'bad.json': bad,
    'specgate.config.yaml': stringify({ lint: { overrides } }),
  });
  const run = (...args: string[]) => runSpecgate(['lint', 'bad.json', ...args], { cwd });
  expect((await run()).status).toBe(0);
  expect((await run('--rule', 'default-valid=error')).status).toBe(1);
});

test('--all shows each of the findings that say the same', async () => {
  const methods = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => methodOf(name, {}));
  const cwd = folderOf({ 'doc.json': documentOf(methods) });
  const run = async (...args: string[]) => {
    const { stdout } = await runSpecgate(['lint', 'doc.json', ...args], { cwd });
    return stdout.match(/method-described: /g)!.length;
  };
  expect(await run()).toBe(1);
  expect(await run('--all')).toBe(6);
});

describe('about the rules', () => {
  test('--list prints one line per rule', async () => {
    const { status, stdout } = await lint('--list');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^default-valid +error +error +Defaults are valid against their schemas$/m,
    );
  });

  test('--explain prints reason, source, fix and both examples', async () => {
    const { stdout } = await lint('--explain', 'default-valid');
    for (const part of ['Why: ', 'Source: ', 'Fix: ', 'Incorrect:', 'Correct:', 'x-lint-ignore']) {
      expect(stdout).toContain(part);
    }
  });

  test('an unknown rule is refused with the nearest name', async () => {
    expect(await lint('--explain', 'defaults-valid')).toMatchObject({
      status: 2,
      stderr: '--explain: unknown rule "defaults-valid"; did you mean "default-valid"?\n',
    });
    expect((await lint('good.json', '--rule', 'default-vald=off')).status).toBe(2);
    expect((await lint('good.json', '--rule', 'default-valid=loud')).stderr).toContain(
      'off, info, warning or error',
    );
  });
});

test('lint runs from a shell', () => {
  const { status, stdout } = specgate(['lint', 'good.json'], { cwd: folder });
  expect({ status, stdout: stdout.replace(/\d+ rules/, 'N rules') }).toEqual({
    status: 0,
    stdout: 'no problems found in 1 document (N rules)\n',
  });
});
