import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf, type Document } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const kept = methodOf('kept', { $ref: '#/components/schemas/S' });
const first = { ...methodOf('broken', { type: 'string' }), summary: 'Broken.' };
const components = { schemas: { S: { type: 'string' } } };
const good = documentOf([first, kept], { components });

/** Replaces members of the first method. */
const broken = (members: Document, more: Document = {}): Document =>
  documentOf([{ ...first, ...members }, kept], {
    components,
    ...more,
  });
const parameters = (...params: readonly unknown[]) => broken({ params });

interface Damage {
  readonly document: Document;
  /** Place and message. */
  readonly says: RegExp;
  readonly effect: string;
  /** Whether the method is left out as a whole. */
  readonly isMethod?: true;
  /** Code of the finding of lint. */
  readonly code: string;
}

const METHOD = 'the method "broken" is left out';

const damages: Readonly<Record<string, Damage>> = {
  'a parameter name twice': {
    document: parameters({ name: 'a', schema: true }, { name: 'a', schema: true }),
    says: /\/methods\/0\/params\/1\/name: duplicate parameter "a"; rename one of them/,
    effect: METHOD,
    isMethod: true,
    code: 'duplicate-param',
  },
  'a reference to a parameter that is missing': {
    document: parameters({ $ref: '#/components/contentDescriptors/None' }),
    says: /\/methods\/0\/params\/0: the reference "#\/components\/contentDescriptors\/None" does not/,
    effect: METHOD,
    isMethod: true,
    code: 'reference-resolves',
  },
  'a method without params': {
    document: broken({ params: undefined }),
    says: /\/methods\/0\/params: missing; add it/,
    effect: METHOD,
    isMethod: true,
    code: 'invalid-part',
  },
  'a reference to a schema in a file that is missing': {
    document: parameters({ name: 'a', schema: { $ref: 'gone.json' } }),
    says: /\/params\/0\/schema: the reference "gone.json" cannot be followed: .*; correct the \$ref/,
    effect: 'any value is accepted there, in the method "broken"',
    code: 'reference-resolves',
  },
  'an invalid keyword of a schema': {
    document: parameters({ name: 'a', schema: { type: 'strng' } }),
    says: /\/params\/0\/schema\/type: expected one of .*, got "strng"; make it "string"/,
    effect: 'the keyword "type" is ignored in the method "broken"',
    code: 'invalid-part',
  },
  'an example that is not an object': {
    document: broken({ examples: ['x'] }),
    says: /\/methods\/0\/examples\/0: expected an object, got "x"; make it an object/,
    effect: 'this example is left out of the method "broken"',
    code: 'invalid-part',
  },
  'a reference to an error that is missing': {
    document: broken({ errors: [{ $ref: '#/components/errors/None' }] }),
    says: /\/methods\/0\/errors\/0: the reference "#\/components\/errors\/None" does not resolve/,
    effect: 'this error is left out of the method "broken"',
    code: 'reference-resolves',
  },
  'a server without a valid address': {
    document: broken({}, { servers: [{ url: 'a b' }] }),
    says: /\/servers\/0\/url: expected .*; write one such as/,
    effect: 'this server is left out',
    code: 'invalid-part',
  },
  'no version': {
    document: broken({}, { info: { title: 'Test' } }),
    says: /\/info\/version: missing; add it/,
    effect: 'it is read as ""',
    code: 'invalid-part',
  },
};

const folderOf = (document: Document) =>
  temporaryFolder([
    ['good.json', JSON.stringify(good)],
    ['doc.json', JSON.stringify(document)],
  ]);

const lines = (text: string) => text.split('\n').filter(Boolean);

describe.each(Object.entries(damages))('%s', (_, { document, says, effect, isMethod, code }) => {
  const warning = expect.stringMatching(says) as string;
  const isLeftOut = isMethod === true;

  test('is a finding of lint, and the rest is linted', async () => {
    const cwd = folderOf(document);
    const { status, stdout } = await runSpecgate(['lint', 'doc.json', '-f', 'json'], { cwd });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    const codes = diagnostics.map((each) => each.code);
    expect(status).toBe(1);
    expect(codes.filter((each) => each === code)).toHaveLength(1);
    expect(codes.filter((each) => each === 'method-described')).toHaveLength(1);
  });

  test('is left out of a bundle, with one warning', async () => {
    const cwd = folderOf(document);
    const { status, stdout, stderr } = await runSpecgate(['bundle', 'doc.json'], { cwd });
    const { methods } = JSON.parse(stdout) as { methods: { name: string }[] };
    expect(methods.map(({ name }) => name)).toEqual(isLeftOut ? ['kept'] : ['broken', 'kept']);
    expect(lines(stderr)).toEqual([warning]);
    expect(stderr).toContain(`(${effect})`);
    expect(stderr).toMatch(/^warning: doc\.json:1:\d+ #/);
    expect(status).toBe(0);
  });

  test('does not keep diff from comparing the rest', async () => {
    const cwd = folderOf(document);
    const { stdout, stderr } = await runSpecgate(['diff', 'good.json', 'doc.json', '--all'], {
      cwd,
    });
    const skipped = 'warning: the method "broken" is not compared: it was left out of one document';
    expect(lines(stderr)).toEqual(isLeftOut ? [warning, skipped] : [warning]);
    expect(stdout).not.toContain('method-removed');
    if (isLeftOut) expect(stdout).toMatch(/^no changes\n/);
  });

  test('is an error of generate, which writes the rest with --lenient, as check expects', async () => {
    const cwd = folderOf(document);
    const types = ['doc.json', '--target', 'types'];
    const refused = await runSpecgate(['generate', ...types], { cwd });
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(lines(refused.stderr)).toEqual([warning]);
    expect(refused.stderr).toContain(`(with --lenient, ${effect})\n`);
    expect(existsSync(join(cwd, 'generated'))).toBe(false);
    const done = await runSpecgate(['generate', ...types, '--lenient'], { cwd });
    expect(done.status).toBe(0);
    expect(done.stderr).toContain(`(${effect})\n`);
    const text = readFileSync(join(cwd, 'generated/types.ts'), 'utf8');
    expect(text).toContain('KeptParams');
    expect(text.includes('BrokenParams')).toBe(!isLeftOut);
    expect((await runSpecgate(['check', ...types, '--lenient'], { cwd })).status).toBe(0);
    expect((await runSpecgate(['check', ...types], { cwd })).status).toBe(1);
  });
});

test.each([
  ['json', (text: string) => text],
  ['yaml', (text: string) => `# YAML\n${text}`],
])('a member that %s names twice is left out with both values', async (ending, print) => {
  const text = JSON.stringify(good)
    .replace('"summary":"Broken."', '"summary":"One.","summary":"Two."')
    .replace('"schema":{"type":"string"}', '"schema":{"type":"string","type":"integer"}');
  const cwd = temporaryFolder([[`doc.${ending}`, print(text)]]);
  const { status, stdout, stderr } = await runSpecgate(['bundle', `doc.${ending}`], { cwd });
  const { methods } = JSON.parse(stdout) as { methods: { summary?: string; params: unknown }[] };
  expect(status).toBe(0);
  expect(methods[0]).not.toHaveProperty('summary');
  expect(methods[0]!.params).toMatchObject([{ schema: {} }]);
  expect(lines(stderr)).toEqual([
    expect.stringMatching(/type: duplicate name "type" .*\(the keyword "type" is ignored in/),
    expect.stringMatching(/summary: duplicate name "summary" .*\("summary" is left out of the/),
  ]);
  const refused = await runSpecgate(['generate', `doc.${ending}`, '--target', 'types'], { cwd });
  expect(refused).toMatchObject({ status: 1, stdout: '' });
});

test('the docs are built without everything that is broken, each named once', async () => {
  const methods = Object.values(damages).map(({ document }, index) => {
    const [method] = document['methods'] as readonly Document[];
    return { ...method, name: `m${index}` };
  });
  const cwd = folderOf(documentOf([...methods, kept], { components, servers: [{ url: 'a b' }] }));
  const { status, stdout, stderr } = await runSpecgate(
    ['generate', 'doc.json', '--target', 'docs', '--out', 'site'],
    { cwd },
  );
  expect(status).toBe(0);
  expect(lines(stderr)).toHaveLength(8);
  expect(new Set(lines(stderr)).size).toBe(8);
  expect(stdout).toContain('site/methods/kept.html');
  expect(stdout).not.toContain('site/methods/m0.html');
  expect(stdout).toContain('site/methods/m3.html');
});

test('the project file may allow a document with broken parts', async () => {
  const project = (lenient: boolean) =>
    `documents:\n  - document: doc.json\n    targets: [types]\n    options: { lenient: ${lenient} }\n`;
  const { document } = damages['a parameter name twice']!;
  for (const lenient of [true, false]) {
    const cwd = temporaryFolder([
      ['doc.json', JSON.stringify(document)],
      ['specgate.config.yaml', project(lenient)],
    ]);
    expect((await runSpecgate(['generate'], { cwd })).status).toBe(lenient ? 0 : 1);
    expect((await runSpecgate(['check'], { cwd })).status).toBe(lenient ? 0 : 1);
  }
});

test('nothing is written for one document of a project if another one is broken', async () => {
  const { document } = damages['a parameter name twice']!;
  const cwd = temporaryFolder([
    ['good.json', JSON.stringify(good)],
    ['doc.json', JSON.stringify(document)],
    [
      'specgate.config.yaml',
      'documents:\n  - { document: good.json, out: a }\n  - { document: doc.json, out: b }\n',
    ],
  ]);
  expect((await runSpecgate(['generate', '--target', 'types'], { cwd })).status).toBe(1);
  expect(existsSync(join(cwd, 'a'))).toBe(false);
});

test('a method that is not compared fails diff --undecided error', async () => {
  const { document } = damages['a parameter name twice']!;
  const args = ['diff', 'good.json', 'doc.json', '--undecided', 'error'];
  expect((await runSpecgate(args, { cwd: folderOf(document) })).status).toBe(1);
});

test('of two methods with the same name, the first one is kept and compared', async () => {
  const document = documentOf([first, kept, methodOf('broken', true)], { components });
  const { stdout, stderr } = await runSpecgate(['diff', 'good.json', 'doc.json'], {
    cwd: folderOf(document),
  });
  expect(stdout).toMatch(/^no changes\n/);
  expect(lines(stderr)).toEqual([
    expect.stringContaining('(this occurrence of the method "broken" is left out)'),
  ]);
});

test.each(['bundle', 'lint', 'generate'])(
  '%s refuses a document of which nothing would be left',
  async (verb) => {
    const cwd = temporaryFolder([['doc.json', JSON.stringify({ ...good, methods: {} })]]);
    const { status, stderr } = await runSpecgate([verb, 'doc.json'], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^doc\.json:1:\d+ #\/methods: expected an array/);
  },
);
