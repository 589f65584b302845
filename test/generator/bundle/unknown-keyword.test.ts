import { describeDiagnostic } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../../generator/document.ts';
import { valueAt } from '../../../common/json/pointer.ts';
import { documentOf, methodOf, problemsOf, readerOf } from '../support/document.ts';

describe('a reference below an unknown keyword', () => {
  const definitions = {
    Own: {
      dependentSchemas: { a: { $ref: '#/definitions/Named' }, b: { $ref: '#/definitions/Tree' } },
    },
    Named: { type: 'string' },
    Tree: { kids: { $ref: '#/definitions/Tree' }, name: { $ref: '#/definitions/Named' } },
  };

  test('of another file leads to where its target stands in the bundle', async () => {
    const { document } = await loadModel(
      'doc.json',
      readerOf({
        'doc.json': documentOf([
          methodOf(
            'a',
            { $ref: 'part.json#/definitions/Own' },
            { $ref: 'part.json#/definitions/Named' },
          ),
        ]),
        'part.json': { definitions },
      }),
    );
    const tree = '#/components/schemas/Own/dependentSchemas/b';
    const named = { $ref: '#/components/schemas/Named' };
    expect(valueAt(document, '/components/schemas')).toEqual({
      Own: { dependentSchemas: { a: named, b: { kids: { $ref: tree }, name: named } } },
      Named: { type: 'string' },
    });
  });

  test('of the document to another file has its target put in its place', async () => {
    const files = {
      'doc.json': documentOf([
        methodOf('a', {
          type: 'object',
          unevaluatedProperties: { $ref: 'part.json#/definitions/Named' },
        }),
      ]),
      'part.json': { definitions },
    };
    const { document } = await loadModel('doc.json', readerOf(files));
    expect(valueAt(document, '/methods/0/params/0/schema')).toEqual({
      type: 'object',
      unevaluatedProperties: { type: 'string' },
    });
  });

  test('is reported as written if its target is missing', async () => {
    const diagnostics = await problemsOf({
      'doc.json': documentOf([methodOf('a', { $ref: 'part.json' })]),
      'part.json': { unevaluatedProperties: { $ref: '#/definitions/Gone' } },
    });
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      expect.stringMatching(
        /^part.json:2:3 #\/unevaluatedProperties: the reference "#\/definitions\/Gone" does not resolve/,
      ),
    ]);
  });

  test('leads to a schema that is validated', async () => {
    const document = documentOf([methodOf('a', { $ref: '#/components/schemas/A/odd' })], {
      components: { schemas: { A: { type: 'object', odd: { type: 'strng' } } } },
    });
    const diagnostics = await problemsOf({ 'doc.json': document });
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      expect.stringMatching(
        /^doc.json:\d+:\d+ #\/components\/schemas\/A\/odd\/type: expected one of "array".*; make it "string"/,
      ),
    ]);
  });
});
