import { DocumentError, describeDiagnostic } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { readProject } from '../../../generator/project/read.ts';
import { parseSource } from '../../../generator/source/parse.ts';

const read = (text: string) =>
  readProject(
    parseSource({ name: 'specgate.config.yaml', url: 'file:///p/specgate.config.yaml', text }),
  );

function problemsOf(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof DocumentError) return error.diagnostics.map(describeDiagnostic);
    throw error;
  }
  throw new Error('the project was accepted');
}

describe('a project file', () => {
  test('may be empty, which keeps the defaults', () => {
    expect(read('')).toMatchObject({
      documents: [],
      diff: { fail_on: 'breaking', strictness: 'wire', approved: [] },
    });
  });

  test('lists documents, each with its folder, targets and options', () => {
    const { documents } = read(
      'documents:\n  - { document: a.yaml }\n  - { document: https://x.test/b.json, out: b, targets: [types, client], options: { lenient: true } }',
    );
    expect(documents).toEqual([
      { document: 'a.yaml', out: 'generated', options: { lenient: false } },
      {
        document: 'https://x.test/b.json',
        out: 'b',
        targets: ['types', 'client'],
        options: { lenient: true },
      },
    ]);
  });

  test('may list the docs of a document beside its code, with their options', () => {
    const { documents } = read(
      'documents:\n  - { document: a.yaml }\n  - { document: a.yaml, targets: [docs], options: { guides: g } }',
    );
    expect(documents.map(({ out }) => out)).toEqual(['generated', 'docs']);
    expect(documents[1]!.options).toEqual({ lenient: false, guides: 'g' });
  });

  test('may be JSON', () => {
    expect(read('{"documents":[{"document":"a.json","out":"x"}]}').documents[0]?.out).toBe('x');
  });
});

describe('errors in a project file are reported with position, path and fix', () => {
  test.each<[string, string, RegExp]>([
    [
      'a setting that does not exist',
      'documents:\n  - document: a\n    outt: b',
      /^specgate\.config\.yaml:3:5 #\/documents\/0\/outt: unknown setting "outt"; remove it, or correct its name$/,
    ],
    [
      'a setting that is missing',
      'documents:\n  - out: b',
      /^specgate\.config\.yaml:2:5 #\/documents\/0\/document: missing \(expected string\); add it$/,
    ],
    [
      'a target that does not exist',
      'documents:\n  - document: a\n    targets: [typos]',
      /:3:15 #\/documents\/0\/targets\/0: expected one of "types", .*; correct the setting$/,
    ],
    [
      'a value of another kind',
      'documents: 5',
      /:1:1 #\/documents: expected array, got number; correct the setting$/,
    ],
    [
      'the docs beside other targets, in one folder',
      'documents:\n  - { document: a, targets: [docs, types] }',
      /:2:20 #\/documents\/0\/targets: the docs need a folder of their own; list the document a second time, /,
    ],
    [
      'an option of the docs where there are none',
      'documents:\n  - { document: a, options: { guides: g } }',
      /#\/documents\/0\/options\/guides: "guides" is an option of the docs target, which this document does not list; /,
    ],
    [
      'two documents in one folder',
      'documents:\n  - { document: a, out: g }\n  - { document: b, out: ./g }',
      /:3:20 #\/documents\/1\/out: "\.\/g" equals, contains or is in .*; give each its own folder$/,
    ],
    [
      'a folder within that of another document',
      'documents:\n  - { document: a, out: g/b }\n  - { document: b, out: g }',
      /#\/documents\/1\/out: /,
    ],
  ])('%s', (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(expected)]);
  });

  test('all errors at once', () => {
    expect(problemsOf('documents: [{ document: 1, out: 2 }]\nlints: {}')).toHaveLength(3);
  });

  test('syntax', () => {
    expect(problemsOf('documents: [')[0]).toMatch(/^specgate\.config\.yaml:1:13: invalid YAML/);
  });
});
